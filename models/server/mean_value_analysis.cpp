#include <copysim/models/server/mean_value_analysis.hpp>

#include <Eigen/Core>

#include <copysim/error.hpp>

namespace copysim {

NetworkMeans mean_value_analysis(const std::vector<Station>& stations, int customers) {
  if (customers < 1) {
    throw ConfigError{"network", "customers must be at least 1, got " + std::to_string(customers)};
  }
  const auto n = static_cast<Eigen::Index>(stations.size());
  Eigen::ArrayXd queued(n);
  Eigen::ArrayXd delayed(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Station& station = stations[static_cast<std::size_t>(k)];
    if (station.demand < Duration::zero() || station.servers < 0) {
      throw ConfigError{"network",
                        "demand and servers of " + station.name + " must not be negative"};
    }
    const double demand = seconds(station.demand);
    const double m = station.servers;
    queued(k) = station.servers == 0 ? 0 : demand / m;
    delayed(k) = station.servers == 0 ? demand : demand * (m - 1) / m;
  }

  Eigen::ArrayXd queue = Eigen::ArrayXd::Zero(n);
  NetworkMeans means;
  for (int i = 1; i <= customers; ++i) {
    const Eigen::ArrayXd response = queued * (1 + queue);
    means.response_s = response.sum() + delayed.sum();
    means.throughput = i / means.response_s;
    queue = means.throughput * response;
  }
  const Eigen::ArrayXd here = queue + means.throughput * delayed;
  const Eigen::ArrayXd busy = means.throughput * queued;
  means.queue.assign(here.begin(), here.end());
  means.utilisation.assign(busy.begin(), busy.end());
  return means;
}

}  // namespace copysim
