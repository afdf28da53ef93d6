// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The asynchronous integrator as one would first write it after reading the papers: one
// std::priority_queue of all elements, an object with a virtual function for each element, and a
// vector of node structs.
#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>
#include <vector>

#include "varia/solids/solid.hpp"

namespace bench {

struct TextbookNode {
  double x[2], v[2], t, mass;
};

struct TextbookElement {
  virtual ~TextbookElement() = default;
  virtual void force(const std::vector<TextbookNode>& nodes, double f[3][2]) const = 0;
  int nodes[3] = {0, 0, 0};
  double last = 0.0, step = 0.0;
  long count = 0;
};

struct TextbookTriangle final : TextbookElement {
  double B[2][2] = {}, area = 0.0, lambda = 0.0, mu = 0.0;

  void force(const std::vector<TextbookNode>& all, double f[3][2]) const override {
    double F[2][2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int a = 0; a < 2; ++a)
          F[i][j] += (all[nodes[a + 1]].x[i] - all[nodes[0]].x[i]) * B[a][j];
    const double J = F[0][0] * F[1][1] - F[0][1] * F[1][0];
    const double G[2][2] = {{F[1][1] / J, -F[1][0] / J}, {-F[0][1] / J, F[0][0] / J}};  // F^-T
    for (int i = 0; i < 2; ++i) {
      for (int a = 0; a < 2; ++a) {
        f[a + 1][i] = 0.0;
        for (int j = 0; j < 2; ++j)
          f[a + 1][i] -=
              area * (lambda * std::log(J) * G[i][j] + mu * (F[i][j] - G[i][j])) * B[a][j];
      }
      f[0][i] = -f[1][i] - f[2][i];
    }
  }
};

class TextbookAvi {
 public:
  TextbookAvi(const varia::solids::Solid<2>& solid, double lambda, double mu) {
    const auto state = varia::solids::start(solid);
    for (std::size_t a = 0; a < state.nodes.size(); ++a) {
      const auto& n = state.nodes[a];
      nodes_.push_back({{n.x[0], n.x[1]}, {n.v[0], n.v[1]}, n.t, solid.system.masses()[a]});
    }
    for (long k = 0; k < solid.mesh.element_count(); ++k) {
      auto element = std::make_unique<TextbookTriangle>();
      std::copy(solid.mesh.element(k), solid.mesh.element(k) + 3, element->nodes);
      const double* X[3] = {};
      for (int a = 0; a < 3; ++a) X[a] = solid.mesh.node(element->nodes[a]);
      const double e[2][2] = {{X[1][0] - X[0][0], X[2][0] - X[0][0]},
                              {X[1][1] - X[0][1], X[2][1] - X[0][1]}};
      const double det = e[0][0] * e[1][1] - e[0][1] * e[1][0];
      element->B[0][0] = e[1][1] / det;
      element->B[0][1] = -e[0][1] / det;
      element->B[1][0] = -e[1][0] / det;
      element->B[1][1] = e[0][0] / det;
      element->area = 0.5 * det;
      element->lambda = lambda;
      element->mu = mu;
      element->step = solid.steps[static_cast<std::size_t>(k)];
      queue_.push({element->step, static_cast<int>(k)});
      elements_.push_back(std::move(element));
    }
  }

  void advance(double until) {
    while (queue_.top().t <= until) {
      const auto [t, k] = queue_.top();
      queue_.pop();
      TextbookElement& element = *elements_[k];
      for (const int a : element.nodes) {
        TextbookNode& node = nodes_[a];
        for (int i = 0; i < 2; ++i) node.x[i] += node.v[i] * (t - node.t);
        node.t = t;
      }
      double f[3][2];
      element.force(nodes_, f);
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 2; ++i)
          nodes_[element.nodes[a]].v[i] +=
              (t - element.last) * f[a][i] / nodes_[element.nodes[a]].mass;
      element.last = t;
      ++element.count;
      queue_.push({static_cast<double>(element.count + 1) * element.step, k});
    }
  }

  long updates() const {
    long sum = 0;
    for (const auto& element : elements_) sum += element->count;
    return sum;
  }

  /// The largest difference of positions.
  double difference(const varia::terms::State<2>& state) const {
    double largest = 0.0;
    for (std::size_t a = 0; a < nodes_.size(); ++a)
      for (int i = 0; i < 2; ++i)
        largest = std::max(largest, std::abs(nodes_[a].x[i] - state.nodes[a].x[i]));
    return largest;
  }

 private:
  struct Event {
    double t;
    int element;
    bool operator<(const Event& other) const { return t > other.t; }
  };
  std::vector<TextbookNode> nodes_;
  std::vector<std::unique_ptr<TextbookElement>> elements_;
  std::priority_queue<Event> queue_;
};

}  // namespace bench
