(eval '(+ 1 2) (interaction-environment)) ; => 3
(eval '(begin (define from-eval 5) (* from-eval 2)) (interaction-environment)) ; => 10
from-eval ; => 5
