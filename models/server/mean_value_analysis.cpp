#include <copysim/models/server/mean_value_analysis.hpp>

#include <algorithm>

#include <Eigen/Core>

#include <copysim/error.hpp>

namespace copysim {

NetworkMeans mean_value_analysis(const std::vector<Station>& stations, int customers, int groups) {
  if (customers < 1 || groups < 1) {
    throw ConfigError{"network", "customers and groups must be at least 1, got " +
                                     std::to_string(std::min(customers, groups))};
  }
  const auto n = static_cast<Eigen::Index>(stations.size());
  Eigen::ArrayXd queued(n);
  Eigen::ArrayXd delayed(n);
  Eigen::ArrayXd others(n);  // groups besides one's own that come to the station
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
    others(k) = station.own ? 0 : groups - 1;
  }

  const int rounds = groups > 1 ? 2000 : 1;
  Eigen::ArrayXd queue = Eigen::ArrayXd::Zero(n);  // of one group
  NetworkMeans means;
  double throughput = 0;  // of one group
  for (int i = 1; i <= customers; ++i) {
    const Eigen::ArrayXd before = queue;
    for (int round = 0; round < rounds; ++round) {
      const Eigen::ArrayXd response = queued * (1 + before + others * queue);
      means.response_s = response.sum() + delayed.sum();
      throughput = i / means.response_s;
      const Eigen::ArrayXd next = throughput * response;
      queue = groups > 1 ? Eigen::ArrayXd{0.5 * queue + 0.5 * next} : next;
    }
  }
  means.throughput = groups * throughput;
  const Eigen::ArrayXd here = (1 + others) * (queue + throughput * delayed);
  const Eigen::ArrayXd busy = (1 + others) * throughput * queued;
  means.queue.assign(here.begin(), here.end());
  means.utilisation.assign(busy.begin(), busy.end());
  return means;
}

}  // namespace copysim
