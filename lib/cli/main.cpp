#include <csignal>
#include <iostream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "command_line.hpp"

namespace {

// Asks to stop at the first Ctrl-C (SIGINT) or SIGTERM: what runs is given up, nothing more starts.
// The second one ends the program at once.
class InterruptWatch {
public:
  InterruptWatch() {
    signals_.async_wait([this](const boost::system::error_code& error, int) {
      if (error) return;
      stop_.request_stop();
      signals_.clear();
    });
    // Only now: a context without work to wait for would return at once, and no signal be heard.
    thread_ = std::jthread{[this] { context_.run(); }};
  }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch() { context_.stop(); }

  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

private:
  std::stop_source stop_;
  boost::asio::io_context context_;
  boost::asio::signal_set signals_{context_, SIGINT, SIGTERM};
  std::jthread thread_;
};

}  // namespace

int main(int argc, char* argv[]) {
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  const InterruptWatch watch;
  return copysim::cli::run_command_line(arguments, std::cout, std::cerr, watch.token());
}
