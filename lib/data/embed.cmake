# Embeds the catalogue, every data file below this folder, in the library. Files are data, not
# sources, so adding one needs no line here.
set(data_dir "${CMAKE_CURRENT_LIST_DIR}")
file(
  GLOB_RECURSE data_files CONFIGURE_DEPENDS
  RELATIVE "${data_dir}"
  "${data_dir}/*.toml" "${data_dir}/*.csv" "${data_dir}/*.json")
list(SORT data_files)
list(JOIN data_files "\n" data_list)
set(data_list_file "${CMAKE_CURRENT_BINARY_DIR}/data_files.txt")
file(CONFIGURE OUTPUT "${data_list_file}" CONTENT "${data_list}\n" @ONLY)
list(TRANSFORM data_files PREPEND "${data_dir}/" OUTPUT_VARIABLE data_paths)
set(embedded "${CMAKE_CURRENT_BINARY_DIR}/embedded_data.cpp")
add_custom_command(
  OUTPUT "${embedded}"
  COMMAND ${CMAKE_COMMAND} -DDATA_DIR=${data_dir} -DLIST=${data_list_file} -DOUTPUT=${embedded} -P
          ${data_dir}/write_source.cmake
  DEPENDS ${data_paths} "${data_list_file}" "${data_dir}/write_source.cmake"
  COMMENT "Embedding the catalogue"
  VERBATIM)
target_sources(copysim_lib PRIVATE "${embedded}")
# A file above 64 KiB makes a longer literal than C++ compilers must accept; ours do.
set_source_files_properties("${embedded}" PROPERTIES COMPILE_OPTIONS "-w")
