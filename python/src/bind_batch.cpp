#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <copysim/lib/batch.hpp>

#include "bindings.hpp"

namespace copysim::python {

namespace {

/// A `Batch` that is waited for without the GIL, as its threads may need it to end.
class BatchFace {
public:
  BatchFace(const Scenario& scenario, std::vector<std::vector<std::string>> points,
            const py::list& engines, int jobs)
      : batch_{std::make_unique<Batch>(scenario, std::move(points),
                                       registry_with(engines, engine_threads_), jobs)} {}
  BatchFace(const BatchFace&) = delete;
  BatchFace& operator=(const BatchFace&) = delete;
  ~BatchFace() { close(); }

  bool wait(double limit_s) {
    const py::gil_scoped_release released;
    return batch_->wait_for(std::chrono::milliseconds{static_cast<std::int64_t>(limit_s * 1e3)});
  }
  void stop() { batch_->stop(); }
  /// Ends what runs. An engine that computes for ever without awaiting is interrupted.
  void close() {
    if (!batch_) return;
    batch_->stop();
    while (!wait(patience_s)) engine_threads_->interrupt();
    const py::gil_scoped_release released;
    batch_.reset();
  }
  [[nodiscard]] std::size_t points_done() const { return batch_->points_done(); }

  py::list take() {
    py::list rows;
    for (BatchRow& row : batch_->take()) rows.append(to_tuple(row));
    return rows;
  }

private:
  // Most rows have the counters of the one before, so that their names need not be made anew.
  py::tuple names_of(const Counters& counters) {
    bool same = counters.size() == names_.size();
    for (std::size_t i = 0; same && i < names_.size(); ++i) same = counters[i].first == names_[i];
    if (!same) {
      names_.clear();
      for (const auto& [name, value] : counters) names_.push_back(name);
      name_tuple_ = py::tuple(py::cast(names_));
    }
    return name_tuple_;
  }

  py::tuple to_tuple(const BatchRow& row) {
    const RunResult& result = row.result;
    py::array_t<double> values(static_cast<py::ssize_t>(result.counters.size()));
    double* at = values.mutable_data();
    for (const auto& [name, value] : result.counters) *at++ = value;
    std::optional<std::int64_t> first_estimate;
    if (result.first_estimate) first_estimate = result.first_estimate->count();
    return py::make_tuple(
        row.point, row.replication, row.replications, row.policy, row.seed, result.elapsed.count(),
        result.durable.count(), first_estimate, result.copied.count(), result.files,
        std::string{to_string(result.status)}, names_of(result.counters), values,
        py::tuple(py::cast(result.damaged)), row.failure ? to_python(row.failure) : py::none());
  }

  static constexpr double patience_s = 0.3;

  std::shared_ptr<EngineThreads> engine_threads_ = std::make_shared<EngineThreads>();
  std::unique_ptr<Batch> batch_;
  std::vector<std::string> names_;
  py::tuple name_tuple_;
};

}  // namespace

py::object to_python(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (py::error_already_set& error) {
    const auto value = py::reinterpret_borrow<py::object>(error.value());
    if (error.trace()) PyException_SetTraceback(value.ptr(), error.trace().ptr());
    return value;
  } catch (const std::invalid_argument& error) {
    return py::reinterpret_borrow<py::object>(PyExc_ValueError)(error.what());
  } catch (const std::exception& error) {
    return py::module_::import("copysim._core").attr("SimulationError")(error.what());
  }
}

void bind_batch(py::module_& m) {
  py::class_<BatchFace>(m, "Batch")
      .def(py::init<const Scenario&, std::vector<std::vector<std::string>>, const py::list&, int>(),
           py::arg("scenario"), py::arg("points"), py::arg("engines"), py::arg("jobs"))
      .def("wait", &BatchFace::wait, py::arg("limit_s"))
      .def("take", &BatchFace::take)
      .def("stop", &BatchFace::stop)
      .def("close", &BatchFace::close)
      .def_property_readonly("points_done", &BatchFace::points_done);
}

}  // namespace copysim::python
