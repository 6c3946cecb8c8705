/** One running evaluation. */
import type { Call, Environment } from './call'
import { LIMITS, NOWHERE, problemAt } from './problem'

/** One evaluation: its scope, the parameters of its arrow functions, and what it has cost so far. */
export class Frame implements Call {
  readonly locals: unknown[] = []
  exact = false
  private left: number = LIMITS.steps

  constructor(
    readonly scope: object,
    readonly environment: Environment,
  ) {}

  charge(steps: number): void {
    this.left -= steps
    if (this.left >= 0) return
    throw problemAt(NOWHERE, 'too-much-work', {
      zh: `表达式计算量过大（最多 ${LIMITS.steps} 步），请减少数据或嵌套的循环。`,
      en: `The expression works too long (at most ${LIMITS.steps} steps): use less data or fewer loops in one another.`,
    })
  }
}

export type Run = (frame: Frame) => unknown
