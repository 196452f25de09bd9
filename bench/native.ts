// Guile and Chez, where the machine has them: compiles a program of bench/program with a loop around it that
// takes the time inside, so that neither start-up nor compilation counts, and prints a Figure as time.ts does.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** A Scheme that is a program of the machine. */
export interface Native {
  version: string
  /** The command that compiles and runs `program`; what it writes goes to the folder `scratch`. */
  command(program: string, scratch: string, rounds: number, limit: number): string[]
}

/** The first of `commands` that says a version which `is` finds its own, with that version. */
function find(commands: string[], is: RegExp): { command: string; version: string } | null {
  for (const command of commands) {
    const { stdout, stderr, error } = spawnSync(command, ['--version'], { encoding: 'utf8', timeout: 5000 })
    const version = error ? null : is.exec(stdout || stderr)
    if (version) return { command, version: version[1]! }
  }
  return null
}

/** The rounds are counted as in time.ts: so many, or a second's; none is begun after five. */
function timed(program: string, milliseconds: string, rounds: number, limit: number): string {
  return `${readFileSync(program, 'utf8')}
(define (milliseconds) ${milliseconds})
(define (print-figure name value)
  (display "{\\"") (display name) (display "\\":") (display value) (display "}") (newline))
(define (time-rounds)
  (let loop ((i 0) (spent 0.) (best 1e9) (right #t))
    (if (and (or (< i ${rounds}) (< spent 1000.)) (< spent ${Math.min(5000, limit)}.))
        (let* ((start (milliseconds)) (result (run)) (took (- (milliseconds) start)))
          (loop (+ i 1) (+ spent took) (min best took) (and right (equal? result expected))))
        (cond ((not right) (print-figure "wrong" "\\"\\""))
              ((> best ${limit}.) (print-figure "over" ${limit}))
              (else (print-figure "ms" (/ (round (* 1000. best)) 1000.)))))))
(time-rounds)
`
}

export function findGuile(): Native | null {
  const found = find(['guile', 'guile3', 'guile-3.0'], /GNU Guile\) (3\.\S+)/)
  return found && {
    version: found.version,
    command(program, scratch, rounds, limit) {
      const source = join(scratch, basename(program))
      writeFileSync(source, timed(program, '(/ (* 1000. (get-internal-real-time)) internal-time-units-per-second)', rounds, limit))
      const text = `(use-modules (system base compile)) (load-compiled (compile-file "${source}" #:output-file "${source}.go" #:optimization-level 2))`
      return [found.command, '--no-auto-compile', '-c', text]
    },
  }
}

export function findChez(): Native | null {
  // MIT Scheme has a program named scheme as well; Chez alone answers with a bare number.
  const found = find(['chezscheme', 'chez', 'scheme'], /^(?:Chez Scheme Version )?(\d+\.\S+)\s*$/)
  return found && {
    version: found.version,
    command(program, scratch, rounds, limit) {
      const source = join(scratch, `${basename(program)}.ss`)
      const clock = "(let ((now (current-time 'time-monotonic))) (+ (* 1000. (time-second now)) (/ (time-nanosecond now) 1e6)))"
      writeFileSync(source, timed(program, clock, rounds, limit))
      return [found.command, '--optimize-level', '2', '--script', source]
    },
  }
}
