# cmake -D program= -D expected= [-D update=1] -P this: runs the program and compares what it prints
# with the file `expected`, or writes it there.
execute_process(COMMAND ${program} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
if(update)
  file(WRITE ${expected} "${printed}")
  return()
endif()
file(READ ${expected} wanted)
if(NOT printed STREQUAL wanted)
  message(FATAL_ERROR "expected (${expected}):\n${wanted}\nprinted:\n${printed}")
endif()
