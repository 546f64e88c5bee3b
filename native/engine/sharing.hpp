// Work shared between two threads: many pieces made one after another, put together in order.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lightboard {

// What `make(i, out)` appends for i from 0 to `count`, in order, in as many pieces as there were threads. `worth` says
// whether a second thread earns more than it costs to start. Throws what `make` does.
std::vector<std::string> make_shared(size_t count, bool worth, const std::function<void(size_t, std::string&)>& make);

}  // namespace lightboard
