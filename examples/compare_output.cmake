# cmake -D program= -D expected= -P this: runs the program and compares what it prints.
execute_process(COMMAND ${program} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${expected} wanted)
if(NOT printed STREQUAL wanted)
  message(FATAL_ERROR "expected (${expected}):\n${wanted}\nprinted:\n${printed}")
endif()
