#include <memory>
#include <string>
#include <utility>

#include "operations.hpp"

namespace copysim::python {

namespace {

using FilePointer = std::shared_ptr<FileHandle>;

std::shared_ptr<Operation> leave_file(const FilePointer& handle, const py::object& type,
                                      const py::object&, const py::object&) {
  if (handle->closed || type.is(py::reinterpret_borrow<py::object>(PyExc_GeneratorExit))) {
    return std::make_shared<Operation>(py::none());
  }
  return operation([handle](Groups&) { return close_file(handle); });
}

}  // namespace

void bind_file(py::module_& m) {
  py::class_<FileHandle, FilePointer>(
      m, "File",
      "An open file of a copy, local or remote, cached or not, as a program sees it through a "
      "handle.\n\nUse it in `async with`, or await `close()`. Several reads and writes may be "
      "under "
      "way at once, see `CopyJob.group`. Sizes and offsets are in bytes.")
      .def_property_readonly(
          "size", [](const FileHandle& f) { return f.get().size().count(); },
          "Its present size in bytes.")
      .def_readonly("closed", &FileHandle::closed, "Whether it was closed.")
      .def(
          "read",
          [](const FilePointer& f, std::int64_t offset, std::int64_t size) {
            const Extent extent{Bytes{offset}, Bytes{size}};
            if (offset < 0 || size < 0)
              throw py::value_error("read: offset and size must not be negative");
            return operation([f, extent](Groups&) { return read(f, extent); });
          },
          py::arg("offset_bytes"), py::arg("size_bytes"),
          "Read; gives Data, which is shorter at the end of the file and empty behind it.")
      .def(
          "write",
          [](const FilePointer& f, std::int64_t offset, const Content& data) {
            if (offset < 0) throw py::value_error("write: offset must not be negative");
            return operation([f, offset, data](Groups&) { return write(f, Bytes{offset}, data); });
          },
          py::arg("offset_bytes"), py::arg("data"),
          "Write. It ends when a program gets control back: for a cached file when the data is in "
          "the cache.")
      .def(
          "set_size",
          [](const FilePointer& f, std::int64_t size) {
            if (size < 0) throw py::value_error("set_size: size must not be negative");
            return operation([f, size](Groups&) { return set_size(f, Bytes{size}); });
          },
          py::arg("size_bytes"), "Set the end of the file: allocates or frees, writes no data.")
      .def(
          "set_times",
          [](const FilePointer& f) { return operation([f](Groups&) { return set_times(f); }); },
          "Set times and attributes.")
      .def(
          "flush",
          [](const FilePointer& f) { return operation([f](Groups&) { return flush(f); }); },
          "End when the file's data and metadata are on the medium.")
      .def(
          "close",
          [](const FilePointer& f) { return operation([f](Groups&) { return close_file(f); }); },
          "Close; the last operation on the file.")
      .def("__aenter__", [](const py::object& self) { return std::make_shared<Operation>(self); })
      .def("__aexit__", &leave_file, py::arg("exception_type"), py::arg("exception"),
           py::arg("traceback"));
}

void bind_data(py::module_& m) {
  py::class_<Content>(m, "Data",
                      "What a read gave: the identity of each byte instead of the byte "
                      "itself.\n\n`len(data)` is its "
                      "size in bytes; `data[a:b]` is a part of it, to write in pieces.")
      .def("__len__", [](const Content& data) { return data.size().count(); })
      .def(
          "__getitem__",
          [](const Content& data, const py::slice& slice) {
            py::ssize_t start = 0;
            py::ssize_t stop = 0;
            py::ssize_t step = 0;
            py::ssize_t length = 0;
            if (!slice.compute(data.size().count(), &start, &stop, &step, &length)) {
              throw py::error_already_set{};
            }
            if (step != 1) throw py::value_error("data can be cut with a step of 1 only");
            return data.slice({Bytes{start}, Bytes{length}});
          },
          py::arg("part"))
      .def(
          "__eq__", [](const Content& a, const Content& b) { return a == b; }, py::arg("other"))
      .attr("__hash__") = py::none();
}

}  // namespace copysim::python
