// SPDX-License-Identifier: BSD-3-Clause
// Which kernels become native code. The choice depends on the scenario alone, so that the same
// scenario computes the same bits every time: never on how long a compiler takes.
#include <algorithm>

#include "varia/flow/explicit_source.hpp"
#include "varia/io/asynchronous.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io {

namespace {

/// Operations of a whole run below which the interpreter is done before a compiler has started.
constexpr double worth_compiling = 2e7;

struct Named {
  std::string name;
  expr::Kernel* kernel;
};

bool explicit_method(const Model& model, const Method& method) {
  if (!model.system->separable || model.system->forced || model.system->d > 0) return false;
  if (method.substeps().empty()) return method.explicit_alpha().has_value();
  for (const auto& part : method.substeps())
    if (!explicit_method(model, part.first)) return false;
  return true;
}

std::vector<Named> of_hamiltonian(Model& model) {
  HamiltonianSystem& h = *model.hamiltonian;
  std::vector<Named> result{{"hamiltonian", &h.value},
                            {"hamiltonian_gradient", &h.gradient},
                            {"hamiltonian_hessian", &h.hessian}};
  if (h.separable) {
    result.push_back({"velocity", &h.velocity});
    result.push_back({"potential_slope", &h.potential_gradient});
  }
  if (model.observe) result.push_back({"observe", &model.observe});
  return result;
}

std::vector<Named> of_one_form(Model& model) {
  OneFormSystem& s = *model.one_form;
  std::vector<Named> result{{"energy", &s.energy},
                            {"one_form", &s.form},
                            {"motion", &s.motion},
                            {"stage", &s.first},
                            {"stage_derivative", &s.second}};
  if (model.observe) result.push_back({"observe", &model.observe});
  return result;
}

std::vector<Named> needed(Model& model) {
  FlatSystem& f = *model.system;
  if (model.hamiltonian) return of_hamiltonian(model);
  if (model.one_form) return of_one_form(model);
  std::vector<Named> result{{"lagrangian", &f.value}, {"lagrangian_gradient", &f.gradient}};
  if (is_asynchronous(model.method)) {
    for (std::size_t K = 0; K < model.terms.size(); ++K)
      result.push_back({"term_gradient_" + std::to_string(K + 1), &model.terms[K].gradient});
  } else if (model.method.shooting() && f.flat) {
    AccelerationSystem& a = *accelerations(model);
    result.push_back({"acceleration", &a.equation});
    result.push_back({"acceleration_slope", &a.slope});
  } else if (model.method.own_lagrangian() && model.discrete) {
    result.push_back({"discrete_lagrangian_first", &model.discrete->first});
    result.push_back({"discrete_lagrangian_second", &model.discrete->second});
  } else if (explicit_method(model, model.method)) {
    result.push_back({"potential_gradient", &f.potential_gradient});
  } else {
    if (model.method.newmark() && f.separable)
      result.push_back({"potential_gradient", &f.potential_gradient});
    result.push_back({"lagrangian_hessian", &f.hessian});
    if (f.forced) {
      result.push_back({"force", &f.force});
      result.push_back({"force_derivative", &f.force_derivative});
    }
    if (f.d > 0) {
      result.push_back({"constraint", &f.constraint});
      result.push_back({"constraint_curvature", &f.constraint_curvature});
    }
    if (f.mass_rate) result.push_back({"mass_rate", &f.mass_rate});
  }
  if (model.variable && model.variable->pace) result.push_back({"pace", &model.variable->pace});
  if (model.observe) result.push_back({"observe", &model.observe});
  return result;
}

double operations(const Model& model, const std::vector<Named>& kernels) {
  double sum = 0.0;
  if (is_asynchronous(model.method)) {
    for (const Term& term : model.terms)
      sum += std::max(1.0, model.step / term.step) * term.gradient.tape().operations();
    return sum * static_cast<double>(model.steps);
  }
  for (const Named& k : kernels) sum += k.kernel->tape().operations();
  const StageCoefficients* stages = model.method.stages();
  return sum * static_cast<double>(model.steps) * (stages ? 2.0 * stages->points : 3.0);
}

void compile(Model& model, const std::vector<Named>& kernels) {
  std::vector<expr::NativeFunction> functions;
  std::string loop;
  for (const Named& k : kernels) {
    functions.push_back({k.name, &k.kernel->tape()});
    if (k.kernel == &model.system->potential_gradient)
      loop = explicit_source(*model.system, k.name);
  }
  model.native = expr::NativeModule::compile(functions, loop);
  for (const Named& k : kernels) k.kernel->attach(model.native, k.name);
  if (!loop.empty())
    model.explicit_loop = reinterpret_cast<ExplicitLoop>(model.native->symbol(explicit_loop_name));
}

}  // namespace

Evaluation prepare_evaluation(Model& model) {
  const std::string& asked = model.scenario.run.evaluation;
  if (asked == "interpreter") return {false, "interpreter (asked for)", ""};
  const auto kernels = needed(model);
  if (asked == "auto" && operations(model, kernels) < worth_compiling)
    return {false, "interpreter (a short run)", ""};
  try {
    compile(model, kernels);
  } catch (const expr::NativeError& error) {
    if (asked == "native")
      throw ScenarioError(model.scenario.run.place, "run.evaluation",
                          std::string("native code was asked for: ") + error.what() +
                              " Allowed without it: auto, interpreter");
    return {false, "interpreter (no native code)", error.what()};
  }
  std::string text = "native code (" + model.native->compiler() +
                     (model.native->from_cache() ? ", from the cache)" : ")");
  return {true, text, model.native->note()};
}

}  // namespace varia::io
