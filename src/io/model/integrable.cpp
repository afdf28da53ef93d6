// SPDX-License-Identifier: BSD-3-Clause
// Nonholonomic constraints that restrict places after all.
//
//   (frobenius)   Φ = ⟨ω(t, q), v⟩ + b(t, q),  Ω = ω + b dt,  dΩ(X, Y) = X Ω(Y) - Y Ω(X) - Ω([X, Y])
//
// on the frame e₀ = ∂/∂t, e₁, ..., eₙ, the left-invariant fields of the degrees of freedom. Where dΩ = 0, Φ is the rate
// of a function; where dΩ = 0 on the kernel of Ω, it is that times a factor; where every dΩ vanishes on the kernel
// of all constraints, they keep functions of the coordinates together. It is measured at points near the start.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/tape.hpp"

namespace varia::io {

namespace {

using detail::sz;
using expr::Id;
using DenseMatrix = Eigen::MatrixXd;

constexpr int examined_points = 24;
constexpr double vanishing = 1e-9;  ///< of the terms that cancel
constexpr int most_together =
    100;  ///< degrees of freedom of constraints that are examined together

/// [eᵢ, eⱼ] has this much of the e in whose list it stands.
struct Bracket {
  int i, j;
  double amount;
};
using Brackets = std::vector<std::vector<Bracket>>;

Brackets brackets_of(const ProductSpace& space) {
  Brackets brackets(sz(1 + space.dof()));
  for (const auto& c : space.curved())
    for (int l = 0; l < c.dof; ++l) {
      FactorChart::Map ad;
      double unit[FactorChart::most] = {};
      unit[l] = 1.0;
      c.factor->ad_star(unit, ad);
      for (int j = 0; j < c.dof; ++j)
        for (int i = 0; i < j; ++i)
          if (const double amount = ad[j * c.dof + i]; amount != 0.0)
            brackets[sz(1 + c.degree + l)].push_back({1 + c.degree + i, 1 + c.degree + j, amount});
    }
  return brackets;
}

/// Ω of a constraint; its numbers are outputs of one tape.
struct Form {
  struct Slope {
    int along, of;  ///< e_along Ω(e_of), by places in the frame
    std::size_t output;
  };
  int place_of(int e) {
    const auto found = std::find(frame.begin(), frame.end(), e);
    const auto place = static_cast<int>(found - frame.begin());
    if (found == frame.end()) frame.push_back(e);
    return place;
  }
  bool vanishes(double part) const { return part <= vanishing * size; }

  std::vector<int> frame;               ///< the e that occur, first those with a component
  std::vector<std::size_t> components;  ///< outputs
  std::vector<Slope> slopes;
  double size = 0.0;                                            ///< of the terms of dΩ
  double all = 0.0, on_its_kernel = 0.0, on_all_kernels = 0.0;  ///< the largest of dΩ
};

/// dΩ on the frame; the size of its terms is noted.
DenseMatrix exterior_derivative(Form& form, const Brackets& brackets,
                                const std::vector<double>& x) {
  const auto k = static_cast<Eigen::Index>(form.frame.size());
  DenseMatrix d = DenseMatrix::Zero(k, k);
  DenseMatrix size = d;
  const auto add = [&](int i, int j, double value) {
    d(i, j) += value;
    d(j, i) -= value;
    size(i, j) += std::abs(value);
    size(j, i) += std::abs(value);
  };
  for (const Form::Slope& s : form.slopes)
    if (s.along != s.of) add(s.along, s.of, x[s.output]);
  for (std::size_t l = 0; l < form.components.size(); ++l)
    for (const Bracket& b : brackets[sz(form.frame[l])])
      add(form.place_of(b.i), form.place_of(b.j), -b.amount * x[form.components[l]]);
  form.size = std::max(form.size, size.maxCoeff());
  return d;
}

/// An orthonormal basis of the vectors on which all rows vanish.
DenseMatrix kernel_of(const DenseMatrix& rows) {
  const Eigen::ColPivHouseholderQR<DenseMatrix> qr(rows.transpose());
  const DenseMatrix q = qr.householderQ();
  return q.rightCols(rows.cols() - qr.rank());
}

double largest_on(const DenseMatrix& basis, const DenseMatrix& d) {
  return basis.cols() == 0 ? 0.0 : (basis.transpose() * d * basis).cwiseAbs().maxCoeff();
}

/// The forms of all constraints, and the formulas of their numbers.
class Forms {
 public:
  Forms(expr::Graph& graph, const ProductSpace& space, const Displacement& delta)
      : graph_(graph), delta_(delta), brackets_(brackets_of(space)), frame_{0} {
    frame_.insert(frame_.end(), delta.variables().begin(), delta.variables().end());
  }

  /// What is not affine in the velocities has no form, and neither have constraints on groups without points.
  void add_rolling(const std::vector<Id>& phi, const Layout& layout,
                   const std::vector<int>& without_points) {
    const int v = layout.velocity_variable(0);
    has_form.assign(phi.size(), true);
    rolling.resize(phi.size());
    const auto at_rest = expr::substitute(graph_, phi, expr::zeros(graph_, v, layout.n));
    const auto slopes = expr::jacobian(graph_, phi, detail::range(v, layout.n));
    for (const auto& entry : slopes) {
      const std::vector<int> used = expr::variables_of(graph_, entry.value);
      if ((!used.empty() && used.back() >= v) || contains(without_points, entry.column))
        has_form[sz(entry.row)] = false;
    }
    for (std::size_t a = 0; a < phi.size(); ++a)
      if (has_form[a] && !graph_.is_constant(at_rest[a], 0.0)) add(rolling[a], 0, at_rest[a]);
    for (const auto& entry : slopes)
      if (has_form[sz(entry.row)]) add(rolling[sz(entry.row)], 1 + entry.column, entry.value);
    add_slopes();
  }
  /// dφ, which is closed.
  void add_holonomic(const std::vector<Id>& phi) {
    holonomic.resize(phi.size());
    for (const auto& entry : delta_.at_rest(expr::jacobian(graph_, delta_.displaced(phi), frame_)))
      add(holonomic[sz(entry.row)], entry.column, entry.value);
  }

  /// At one point, from the outputs there.
  void measure(const std::vector<double>& x, bool together) {
    const DenseMatrix kernel = together ? common_kernel(x) : DenseMatrix();
    for (Form& form : rolling) {
      if (form.frame.empty()) continue;
      const DenseMatrix d = exterior_derivative(form, brackets_, x);
      DenseMatrix row = DenseMatrix::Zero(1, d.cols());
      for (std::size_t a = 0; a < form.components.size(); ++a)
        row(0, static_cast<Eigen::Index>(a)) = x[form.components[a]];
      form.all = std::max(form.all, d.cwiseAbs().maxCoeff());
      form.on_its_kernel = std::max(form.on_its_kernel, largest_on(kernel_of(row), d));
      if (together)
        form.on_all_kernels =
            std::max(form.on_all_kernels, largest_on(kernel(form.frame, Eigen::all), d));
    }
  }

  std::vector<Form> rolling, holonomic;
  std::vector<bool> has_form;  ///< of the rolling ones
  std::vector<Id> outputs;

 private:
  static bool contains(const std::vector<int>& list, int i) {
    return std::find(list.begin(), list.end(), i) != list.end();
  }
  void add(Form& form, int e, Id value) {
    form.frame.push_back(e);
    form.components.push_back(outputs.size());
    outputs.push_back(value);
  }
  /// Of all components there are so far; and the e that dΩ has beside those of Ω.
  void add_slopes() {
    std::vector<std::pair<Form*, int>> place(outputs.size());
    for (Form& form : rolling)
      for (std::size_t a = 0; a < form.components.size(); ++a)
        place[form.components[a]] = {&form, static_cast<int>(a)};
    for (const auto& entry :
         delta_.at_rest(expr::jacobian(graph_, delta_.displaced(outputs), frame_))) {
      Form& form = *place[sz(entry.row)].first;
      form.slopes.push_back(
          {form.place_of(entry.column), place[sz(entry.row)].second, outputs.size()});
      outputs.push_back(entry.value);
    }
    for (Form& form : rolling)
      for (std::size_t a = 0; a < form.components.size(); ++a)
        for (const Bracket& b : brackets_[sz(form.frame[a])]) {
          form.place_of(b.i);
          form.place_of(b.j);
        }
  }
  DenseMatrix common_kernel(const std::vector<double>& x) const {
    DenseMatrix rows =
        DenseMatrix::Zero(std::ssize(rolling) + std::ssize(holonomic), std::ssize(frame_));
    Eigen::Index row = 0;
    for (const std::vector<Form>* list : {&rolling, &holonomic})
      for (const Form& form : *list) {
        for (std::size_t a = 0; a < form.components.size(); ++a)
          rows(row, form.frame[a]) = x[form.components[a]];
        ++row;
      }
    return kernel_of(rows);
  }

  expr::Graph& graph_;
  const Displacement& delta_;
  Brackets brackets_;
  std::vector<int> frame_;  ///< the variables of the e
};

constexpr const char* drift =
    "held as a condition on velocities, places may drift; stated in holonomic they do not";

}  // namespace

void ModelBuilder::examine_integrability() {
  const std::vector<Id>& phi = vakonomic_.empty() ? nonholonomic_ : vakonomic_;
  if (phi.empty()) return;
  const ProductSpace& space = model_.system->space;
  const Displacement delta = displacement();
  Forms forms(*graph_, space, delta);
  forms.add_rolling(phi, layout_, space.reduced());
  forms.add_holonomic(constraints_);
  const bool together =
      phi.size() + constraints_.size() > 1 && layout_.n <= most_together &&
      std::find(forms.has_form.begin(), forms.has_form.end(), false) == forms.has_form.end();
  const expr::Tape tape(*graph_, forms.outputs, 1 + layout_.entries + layout_.n);
  std::vector<double> work(tape.instructions().size());
  std::vector<double> out(forms.outputs.size());
  bool measured = false;
  for (int k = 0; k < examined_points; ++k) {
    tape.evaluate(sample_point(k).data(), out.data(), work.data());
    if (!std::all_of(out.begin(), out.end(), [](double x) { return std::isfinite(x); })) continue;
    forms.measure(out, together);
    measured = true;
  }
  if (!measured) return;
  const ConstraintText* told = nullptr;
  bool one_is_not = false;
  bool all_are = together;
  for (std::size_t a = 0; a < phi.size(); ++a) {
    const Form& form = forms.rolling[a];
    const ConstraintText& text = *rolling_texts_[a];
    const bool alone = forms.has_form[a] && form.vanishes(form.on_its_kernel);
    one_is_not = one_is_not || !alone;
    all_are = all_are && !text.integrable && form.vanishes(form.on_all_kernels);
    if (!alone || text.integrable) continue;
    if (form.vanishes(form.all))
      throw ScenarioError(text.phi,
                          "is the rate of a function of the coordinates: it is holonomic. Write it "
                          "in holonomic; or in a table with integrable = true, where its rate is "
                          "meant");
    if (&text != std::exchange(told, &text))
      model_.notes.push_back(text.phi.key +
                             " is integrable: with a factor it is the rate of a function of the "
                             "coordinates; " +
                             drift);
  }
  if (all_are && one_is_not)
    model_.notes.push_back(std::string("the nonholonomic constraints are integrable together") +
                           (constraints_.empty() ? "" : " with the holonomic ones") +
                           ": they keep functions of the coordinates; " + drift);
}

}  // namespace varia::io
