#pragma once

// The umbrella: one include for programs that use the library.

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/run.hpp>
#include <copysim/lib/scenario.hpp>
#include <copysim/lib/sweep.hpp>
#include <copysim/lib/version.hpp>
#include <copysim/units.hpp>
