// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/sphere.hpp"

#include <cmath>

#include "varia/space/factor_of.hpp"

namespace varia {

namespace {

using V3 = Vector<double, 3>;

Notation sphere_notation() {
  Notation n;
  n.key = "S2";
  n.example = "n";
  n.what = "a unit vector";
  n.summary = "points of the unit sphere, with velocity and momentum in space";
  n.entries = {{"1", "2", "3"}, "an entry of the unit vector", {{""}}};
  n.velocities = {{"1_dot", "2_dot", "3_dot"}, "a velocity of", {{"_dot"}}};
  n.momenta = {{"1_p", "2_p", "3_p"}, "a momentum of", {{"_p"}}};
  n.forces = {{"1", "2", "3"}, "a force on", {{""}}};
  n.spatial = {{"_s1", "_s2", "_s3"}, "an angular momentum in the frame of space of", {{"_s"}}};
  n.forms = {{{"", {3}, "[x, y, z]"}},
             {{"axis",
               {3},
               "[x, y, z]",
               "A point of the sphere by the axis through it, of any length; 3 entries.",
               "[1, 1, 0]"}}};
  n.frame_term = "(dL/dw x w)";
  n.drawing = {"path of", {"1", "2", "3"}};
  n.held = "the frame {}_a, {}_b, {}; {}_w1 and {}_w2 turn it about {}_a and {}_b";
  for (const char* i : {"1", "2", "3"}) {
    for (const char* column : {"_a", "_b", ""}) n.held_entries.push_back(std::string(column) + i);
    n.held_velocities.push_back(std::string("_w") + i);
    n.held_momenta.push_back(std::string("_m") + i);
  }
  return n;
}

SO3<double> read_unit_vector(std::size_t form, const double* x) {
  V3 n(x[0], x[1], x[2]);
  if (form == 1) {
    const double largest = n.cwiseAbs().maxCoeff();
    if (largest == 0.0)
      throw InvalidArgument("the axis is zero and has no direction; give one like [0, 0, 1]");
    n = (n / largest).normalized();
  }
  const double size = n.norm();
  if (!(std::abs(size - 1.0) <= sphere_tolerance))
    throw InvalidArgument("the point is off the sphere: its length is " + to_text(size) +
                          (size > 0.0 ? "; divide its entries by that, or write axis = [..]" : "") +
                          ". A unit vector is needed, to " + to_text(sphere_tolerance));
  return sphere_frame(n);
}

class Sphere final : public FactorOf<SO3<double>> {
  using F = expr::Formula;

 public:
  Sphere() : FactorOf(sphere_notation(), read_unit_vector) {}

  std::string name() const override { return "S^2"; }
  int vertical() const override { return 1; }

  Formulas seen_point(expr::Graph& graph, const Formulas& q) const override {
    return ids(graph, sphere_point(rotation_of(graph, q)));
  }
  Formulas seen_vector(expr::Graph& graph, const Formulas& q, const Formulas& held) const override {
    return ids(graph, sphere_vector(rotation_of(graph, q), vector_of(graph, held)));
  }
  Formulas held_vector(expr::Graph& graph, const Formulas& q, const Formulas& seen) const override {
    return ids(graph, sphere_lift(rotation_of(graph, q), vector_of(graph, seen)));
  }
  const double* hold_point(const double* seen, double* q) const override {
    Space<SO3<double>>::write(sphere_frame(V3(seen[0], seen[1], seen[2])), q);
    return seen + 3;
  }
  void read_vector(const double* q, const double* seen, double* held) const override {
    const auto r = Space<SO3<double>>::read(q);
    const V3 x(seen[0], seen[1], seen[2]);
    const double normal = sphere_point(r).dot(x);
    if (!(std::abs(normal) <= sphere_tolerance * x.norm()))
      throw InvalidArgument(
          "the vector is not tangent to the sphere: its component along the point "
          "is " +
          to_text(normal) + "; subtract that many times the point");
    Eigen::Map<V3>(held, 3) = sphere_lift(r, x);
  }

 private:
  static SO3<F> rotation_of(expr::Graph& graph, const Formulas& q) {
    F x[9];
    for (std::size_t i = 0; i < q.size(); ++i) x[i] = F(graph, q[i]);
    return Space<SO3<F>>::read(x);
  }
  static Vector<F, 3> vector_of(expr::Graph& graph, const Formulas& x) {
    return {F(graph, x[0]), F(graph, x[1]), F(graph, x[2])};
  }
  static Formulas ids(expr::Graph& graph, const Vector<F, 3>& x) {
    return {x[0].in(graph), x[1].in(graph), x[2].in(graph)};
  }
};

}  // namespace

/// a is the axis of space that is farthest from n, made orthogonal to n.
SO3<double> sphere_frame(const V3& n) {
  const V3 third = n / n.norm();
  int axis = 0;
  third.cwiseAbs().minCoeff(&axis);
  const V3 a = (V3::Unit(axis) - third * third[axis]).normalized();
  Matrix<double, 3> r;
  r << a, third.cross(a), third;
  return SO3<double>(r);
}

const FactorPtr& spheres() {
  static const FactorPtr factor = std::make_shared<const Sphere>();
  return factor;
}

}  // namespace varia
