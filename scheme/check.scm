;;; The check loop: when the model has answered and files were edited, the project's own check runs.
;;; Where it fails, the model is told how, and goes on.

(define (converse-checked context rounds)
  "As converse, with the check after it; a failing check goes back to the model at most rounds times.
Returns the context, the last reply, and how the check went: passed, failed or none."
  (let-values (((after reply) (converse context)))
    (let ((command (and (eq? (reply-ending reply) 'answer) (edited-since? context after) (project-check))))
      (if command
          (judge-check command (run-check command) after reply rounds)
          (values after reply 'none)))))

(define (run-check command)
  "The outcome of the project's check: a command, run as any other."
  (attempt 'exec "" command))

(define (judge-check command outcome context reply rounds)
  "Goes on as the check's outcome asks."
  (let ((result (check-result outcome)))
    (cond ((eq? result 'passed)
           (note 'info (prompt 'check-passed "command" (command->text command)))
           (values context reply 'passed))
          ((eq? result 'none)
           (values context reply 'none))
          ((zero? rounds)
           (note 'warning (prompt 'check-given-up "rounds" (check-rounds) "command" (command->text command)))
           (values context reply 'failed))
          (else
           (converse-again command outcome context rounds)))))

(define (check-result outcome)
  "Passed or failed, by the exit code; none where the check was refused, stopped, or could not be run."
  (cond ((not (outcome-ok? outcome)) 'none)
        ((zero? (cdr (assoc "code" (outcome-value outcome)))) 'passed)
        (else 'failed)))

(define (converse-again command outcome context rounds)
  "Tells the model how the check failed. Where it then edits nothing, the check stays failed."
  (let ((report (prompt 'check-failed "command" (command->text command) "output" (outcome-text outcome))))
    (let-values (((after reply check)
                  (converse-checked (context-add context (person-message report)) (- rounds 1))))
      (values after reply (if (eq? check 'none) 'failed check)))))

(define (edited-since? before after)
  "Whether a call performed between the two contexts edited a file. A call with several edits is one
edit of its file, whatever form it has: what counts is its path."
  (> (length (edited-paths after)) (length (edited-paths before))))

(define (edited-paths context)
  "The paths of the calls that edited files, in order."
  (map call-path (filter edit-call? (context-calls context))))

(define (edit-call? call)
  "Whether a call changes the file at its path."
  (and (call-path call) (eq? (call-effect call) 'write)))

(define (command->text command)
  "An argument vector as a person would type it."
  (apply string-append (car command)
         (map (lambda (argument) (string-append " " argument)) (cdr command))))
