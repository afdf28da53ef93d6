// SPDX-License-Identifier: BSD-3-Clause
// The one translation unit that owns the precompiled header of the tests.
