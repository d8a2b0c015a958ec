#pragma once

#include <string>
#include <vector>

#include <copysim/units.hpp>

namespace copysim {

/// A station of a closed queueing network, as one customer sees it per pass through the network.
struct Station {
  std::string name;
  Duration demand{};  ///< mean service per pass, all visits together
  int servers = 1;    ///< equal servers with one queue; 0: nobody waits for anybody
  bool own = false;   ///< each group of customers has one like it for itself
};

/// What mean value analysis says about a network with a certain number of customers.
struct NetworkMeans {
  double throughput = 0;            ///< passes per second
  double response_s = 0;            ///< of a pass
  std::vector<double> queue;        ///< customers at each station, waiting and served
  std::vector<double> utilisation;  ///< of each station's servers; of those without queue 0
};

/// Exact mean value analysis of a closed network with one class of customers (Reiser and Lavenberg,
/// JACM 27, 1980): for n = 1 .. N
///   R_k(n) = D_k (1 + Q_k(n - 1)),   X(n) = n / sum R_k(n),   Q_k(n) = X(n) R_k(n).
/// A station of m servers is taken as one of demand D / m, followed by a delay of D (m - 1) / m
/// (Seidmann, Schweitzer and Shalev-Oren 1987), which is exact for one customer and for many.
/// The network has product form, and the result is exact, if services are exponential or
/// processors are shared.
///
/// With several equal groups of `customers` each, such as the streams of client machines, a
/// customer finds at a shared station what its own group has there with one customer less, and what
/// the other groups have there now (a fixed point; the only approximation). Queues and utilisations
/// are those of one station; the throughput is that of all groups.
/// \throws ConfigError if there is no customer or group, or a demand or number of servers is
/// negative.
[[nodiscard]] NetworkMeans mean_value_analysis(const std::vector<Station>& stations, int customers,
                                               int groups = 1);

}  // namespace copysim
