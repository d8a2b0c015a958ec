#pragma once

#include <memory>
#include <string_view>

#include <copysim/lib/catalogue.hpp>

namespace copysim::detail {

/// What `load_sheet` gives, without a copy: a sheet of the catalogue is read once and shared.
[[nodiscard]] std::shared_ptr<const Sheet> shared_sheet(std::string_view kind, std::string_view id);

}  // namespace copysim::detail
