# cmake -D build= -D program= -D scratch= -D compiler= -D generator= -D version= -P this
set(prefix ${scratch}/prefix)
file(REMOVE_RECURSE ${prefix} ${scratch}/program)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${program} -B ${scratch}/program -G ${generator}
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${scratch}/program)
execute_process(COMMAND ${scratch}/program/consumer OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
if(NOT output STREQUAL "copysim ${version}\n")
  message(FATAL_ERROR "the program printed '${output}', not the library's version ${version}")
endif()
