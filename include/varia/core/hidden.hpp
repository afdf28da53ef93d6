// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ownership of an object whose type the header of the owner only declares.
#include <memory>
#include <utility>

namespace varia::detail {

struct DeleteHidden {
  void (*destroy)(void*) = nullptr;
  void operator()(void* object) const { destroy(object); }
};

/// Like std::unique_ptr; what destroys the object comes with it.
template <class T> using Hidden = std::unique_ptr<T, DeleteHidden>;

template <class T, class... X> Hidden<T> make_hidden(X&&... x) {
  auto made = std::make_unique<T>(std::forward<X>(x)...);
  return Hidden<T>(made.release(), {[](void* object) { delete static_cast<T*>(object); }});
}

}  // namespace varia::detail
