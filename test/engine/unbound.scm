(undefined-thing 1) ; error at 1:1: unbound variable undefined-thing
undefined-thing ; error at 2:1: unbound variable undefined-thing
(set! undefined-thing 1) ; error: set!: unbound variable undefined-thing
(5 5) ; error: expected a procedure, got 5
