/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For the model of the meeting point: atomics whose every access is a step
 * that the explorer may put any other process' steps before.
 */
#ifndef MODEL_STDATOMIC_H
#define MODEL_STDATOMIC_H

#include <stdbool.h>

/*
 * Ends the running process' step before its access to a word: MODEL_LOAD and
 * MODEL_WRITE; returns when the explorer goes on with it.
 */
enum model_access { MODEL_LOAD, MODEL_WRITE };

void model_step(enum model_access access, const volatile void *word);

#define _Atomic

#define atomic_load(from) (model_step(MODEL_LOAD, from), *(from))
#define atomic_store(to, value) (model_step(MODEL_WRITE, to), (void)(*(to) = (value)))

#define atomic_exchange(at, value) \
	({ \
		__typeof__(at) at_ = (at); \
		__typeof__(*at_) old_; \
		model_step(MODEL_WRITE, at_); \
		old_ = *at_; \
		*at_ = (value); \
		old_; \
	})

#define atomic_fetch_add(at, value) \
	({ \
		__typeof__(at) at_ = (at); \
		__typeof__(*at_) old_; \
		model_step(MODEL_WRITE, at_); \
		old_ = *at_; \
		*at_ += (value); \
		old_; \
	})

#define atomic_compare_exchange_strong(at, expected, value) \
	({ \
		__typeof__(at) at_ = (at); \
		__typeof__(expected) expected_ = (expected); \
		__typeof__(*at_) value_ = (value); \
		bool same_; \
		model_step(MODEL_WRITE, at_); \
		same_ = *at_ == *expected_; \
		if (same_) \
			*at_ = value_; \
		else \
			*expected_ = *at_; \
		same_; \
	})

#endif
