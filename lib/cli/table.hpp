#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <copysim/lib/report_format.hpp>

namespace copysim::cli {

/// Rows of values under named columns, printed as aligned text, as a JSON list of objects, or as
/// CSV. A list in a cell is joined with blanks outside JSON.
struct Table {
  std::vector<std::string> columns;
  std::vector<boost::json::array> rows;
};

void write_table(std::ostream& out, const Table& table, ReportFormat format);

/// Prints a number in the shortest form that reads back as the same double, as CSV and text have
/// it.
[[nodiscard]] std::string plain_text(const boost::json::value& value);

}  // namespace copysim::cli
