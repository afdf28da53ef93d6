// SPDX-License-Identifier: BSD-3-Clause
#include "varia/space/product_space.hpp"

#include "varia/core/round_off.hpp"

namespace varia {

ProductSpace::ProductSpace(std::vector<FactorPtr> factors) {
  for (FactorPtr& factor : factors) {
    const int dof = factor->dof();
    if (const CurvedFactor* curved = factor->curved())
      curved_.push_back({curved, entries_, dof_, dof});
    else if (!vectors_.empty() && vectors_.back().entry + vectors_.back().count == entries_)
      vectors_.back().count += dof;
    else
      vectors_.push_back({entries_, dof_, dof});
    for (int i = 0; i < dof && factor->entries() == 0; ++i) reduced_.push_back(dof_ + i);
    for (int i = dof - factor->vertical(); i < dof; ++i) vertical_.push_back(dof_ + i);
    factors_.push_back({std::move(factor), entries_, dof_});
    entries_ += factors_.back().factor->entries();
    dof_ += dof;
  }
}

std::string ProductSpace::name() const {
  std::string name;
  for (const Place& place : factors_) name += (name.empty() ? "" : " x ") + place.factor->name();
  return name;
}

void ProductSpace::retract(const double* q, const double* xi, Retraction tau, double* out) const {
  for (const Place& p : factors_) p.factor->retract(q + p.entry, xi + p.degree, tau, out + p.entry);
}

void ProductSpace::update(double* q, double* q_rest, double* p, double* p_rest, const double* xi,
                          const double* impulse, Retraction tau) const {
  for (const Stretch& v : vectors_)
    for (int b = 0; b < v.count; ++b) {
      const int a = v.degree + b;
      detail::exact_add(q[v.entry + b], q_rest[a], xi[a]);
      detail::exact_add(p[a], p_rest[a], impulse[a]);
    }
  for (const Curved& c : curved_)
    c.factor->update(q + c.entry, q_rest + c.degree, p + c.degree, p_rest + c.degree, xi + c.degree,
                     impulse + c.degree, tau);
}

void ProductSpace::difference(const double* q0, const double* q1, Retraction tau,
                              double* xi) const {
  for (const Place& p : factors_)
    p.factor->difference(q0 + p.entry, q1 + p.entry, tau, xi + p.degree);
}

void ProductSpace::entry_rates(const double* q, const double* v, double* out) const {
  for (const Place& p : factors_) p.factor->entry_rates(q + p.entry, v + p.degree, out + p.entry);
}

void ProductSpace::add_coadjoint(const double* pi, const double* v, double* out) const {
  for (const Curved& c : curved_) {
    FactorChart::Map ad;
    c.factor->ad_star(pi + c.degree, ad);
    for (int i = 0; i < c.dof; ++i)
      for (int j = 0; j < c.dof; ++j) out[c.degree + i] += ad[i * c.dof + j] * v[c.degree + j];
  }
}

void ProductSpace::hold_point(const double* seen, double* q) const {
  for (const Place& p : factors_) seen = p.factor->hold_point(seen, q + p.entry);
}

void ProductSpace::require_point(const double* q) const {
  for (std::size_t i = 0; i < factors_.size(); ++i)
    factors_[i].factor->require_point(q + factors_[i].entry, "factor " + std::to_string(i));
}

}  // namespace varia
