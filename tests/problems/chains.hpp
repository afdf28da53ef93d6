// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A chain with a quadratic cost and linear rows, all its numbers drawn at random.
#include <random>
#include <string>
#include <vector>

#include "varia/control/chain_problem.hpp"

namespace varia::problems {

class QuadraticChain final : public ChainProblem {
 public:
  struct Shape {
    int x, w, inner, held;  ///< y is inner and the next x; held rows of g
  };
  /// Hessians are random and symmetric with `definite` added to their diagonal.
  QuadraticChain(std::vector<Shape> shapes, int end_size, int start_rows, int end_rows,
                 double definite, unsigned seed)
      : shapes_(std::move(shapes)), end_size_(end_size), generator_(seed) {
    for (int k = 0; k < steps(); ++k) {
      const ChainStepSizes s = sizes(k);
      ChainStep data;
      data.hessian = symmetric(s.variables(), definite);
      data.gradient = matrix(s.variables(), 1);
      data.jacobian = matrix(s.y, s.variables());
      data.jacobian.rightCols(s.y).diagonal().array() += 3.0;
      data.rows = matrix(s.y, 1);
      data.inequality_slopes = matrix(s.g, s.variables());
      data.inequalities = matrix(s.g, 1);
      data_.push_back(data);
    }
    start_ = end(start_rows, sizes(0).x, 0.0);
    start_.hessian.setZero();
    end_ = end(end_rows, end_size, definite);
  }

  int steps() const override { return static_cast<int>(shapes_.size()); }
  ChainStepSizes sizes(int k) const override {
    const Shape& s = shapes_[static_cast<std::size_t>(k)];
    const int next = k + 1 < steps() ? shapes_[static_cast<std::size_t>(k) + 1].x : end_size_;
    return {s.x, s.w, s.inner + next, s.held, s.x, s.inner + next};
  }
  int end_size() const override { return end_size_; }
  int start_rows() const override { return static_cast<int>(start_.rows.size()); }
  int end_rows() const override { return static_cast<int>(end_.rows.size()); }
  ChainBounds input_bounds(int k) const override {
    const Eigen::VectorXd none = Eigen::VectorXd::Constant(sizes(k).w, HUGE_VAL);
    return {-none, none};
  }
  ChainBounds inequality_bounds(int k) const override {
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(sizes(k).g);
    return {zero, zero};
  }
  void evaluate(int k, const ChainPoint& at, const Eigen::VectorXd&, const Eigen::VectorXd&,
                ChainOrder, ChainStep& out) const override {
    const ChainStepSizes s = sizes(k);
    Eigen::VectorXd z(s.variables());
    const auto i = static_cast<std::size_t>(k);
    z << (k == 0 ? at.x0 : at.y[i - 1].tail(s.x)), at.w[i], at.y[i];
    out = data_[i];
    out.rows += out.jacobian * z;
    out.inequalities += out.inequality_slopes * z;
    out.cost = out.gradient.dot(z) + 0.5 * z.dot(out.hessian * z);
    out.gradient += out.hessian * z;
  }
  void evaluate_start(const ChainPoint& at, const Eigen::VectorXd&, ChainOrder,
                      ChainEnd& out) const override {
    out = start_;
    out.rows += out.jacobian * at.x0;
  }
  void evaluate_end(const ChainPoint& at, const Eigen::VectorXd&, ChainOrder,
                    ChainEnd& out) const override {
    const Eigen::VectorXd x = at.y.back().tail(end_size_);
    out = end_;
    out.rows += out.jacobian * x;
    out.cost = out.gradient.dot(x) + 0.5 * x.dot(out.hessian * x);
    out.gradient += out.hessian * x;
  }
  std::string name_of_input(int, int) const override { return "w"; }
  std::string name_of_inequality(int, int) const override { return "g"; }
  std::string name_of_start_row(int) const override { return "S"; }
  std::string name_of_end_row(int) const override { return "E"; }

  /// To make rows of the end depend on each other.
  ChainEnd& end_data() { return end_; }
  ChainStep& step_data(int k) { return data_[static_cast<std::size_t>(k)]; }

  ChainPoint origin() const {
    ChainPoint at{Eigen::VectorXd::Zero(sizes(0).x), {}, {}};
    for (int k = 0; k < steps(); ++k) {
      at.w.emplace_back(Eigen::VectorXd::Zero(sizes(k).w));
      at.y.emplace_back(Eigen::VectorXd::Zero(sizes(k).y));
    }
    return at;
  }

 private:
  double number() { return 2.0 * (static_cast<double>(generator_()) / 4294967295.0) - 1.0; }
  Eigen::MatrixXd matrix(int rows, int columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [this] { return number(); });
  }
  Eigen::MatrixXd symmetric(int n, double definite) {
    const Eigen::MatrixXd a = matrix(n, n);
    Eigen::MatrixXd h = a + a.transpose();
    h.diagonal().array() += definite;
    return h;
  }
  ChainEnd end(int rows, int n, double definite) {
    ChainEnd e;
    e.rows = matrix(rows, 1);
    e.gradient = matrix(n, 1);
    e.jacobian = matrix(rows, n);
    e.hessian = symmetric(n, definite);
    return e;
  }

  std::vector<Shape> shapes_;
  int end_size_;
  std::mt19937 generator_;
  std::vector<ChainStep> data_;
  ChainEnd start_, end_;
};

}  // namespace varia::problems
