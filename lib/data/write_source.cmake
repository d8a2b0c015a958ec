# Writes the C++ source that holds the data files. Run by CMake's script mode with DATA_DIR (the
# folder), LIST (a file with one path below it per line) and OUTPUT (the source to write).
file(STRINGS "${LIST}" names)
set(source "#include \"embedded_data.hpp\"\n\n#include <array>\n\nnamespace copysim::detail {\n\n")
set(table "")
set(count 0)
foreach(name IN LISTS names)
  file(READ "${DATA_DIR}/${name}" text)
  string(REGEX MATCH "^([^/]+)/(.+)[.][^./]+$" whole "${name}")
  set(kind "${CMAKE_MATCH_1}")
  set(id "${CMAKE_MATCH_2}")
  string(APPEND source
         "static constexpr std::string_view text_${count} =\n    R\"copysim(${text})copysim\";\n\n")
  string(APPEND table "    CatalogueFile{\"${kind}\", \"${id}\", \"${name}\", text_${count}},\n")
  math(EXPR count "${count} + 1")
endforeach()
string(
  APPEND source
  "static constexpr std::array<CatalogueFile, ${count}> files{\n${table}};\n\n"
  "std::span<const CatalogueFile> embedded_files() {\n  return files;\n}\n\n"
  "}  // namespace copysim::detail\n")
file(WRITE "${OUTPUT}" "${source}")
