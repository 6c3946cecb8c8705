import type { FormSession } from './session'

/** So many frames a part that was opened may take until its fields are there. */
const MOST_FRAMES = 30

/** Gives a field the focus, wherever it stands: the tab, step or fold around it is opened first. */
export const focusField = ({ boxes, folds }: Pick<FormSession, 'boxes' | 'folds'>, address: string): void => {
  const opened = new Set<string>()
  const reach = (left: number): void => {
    const before = opened.size
    // what lies in a part is there only once the part is open
    for (const [fold, open] of folds) {
      if (opened.has(fold) || !address.startsWith(`${fold}.`)) continue
      open(address.slice(fold.length + 1).split('.')[0] ?? '')
      opened.add(fold)
    }
    const box = opened.size === before ? boxes.get(address) : undefined
    if (box) box.focus()
    else if (opened.size > 0 && left > 0) requestAnimationFrame(() => reach(left - 1))
  }
  reach(MOST_FRAMES)
}
