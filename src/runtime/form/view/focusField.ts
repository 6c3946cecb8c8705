import type { FormSession } from './session'

/** So many frames a part that was opened may take until its fields are there. */
const MOST_FRAMES = 30

/** Gives a field the focus, wherever it stands: the tab, step or fold around it is opened first. */
export const focusField = ({ boxes, folds }: Pick<FormSession, 'boxes' | 'folds'>, address: string): void => {
  let opened = false
  for (const [fold, open] of folds) {
    if (!address.startsWith(`${fold}.`)) continue
    open(address.slice(fold.length + 1).split('.')[0] ?? '')
    opened = true
  }
  const reach = (left: number): void => {
    const box = boxes.get(address)
    if (box) box.focus()
    else if (left > 0) requestAnimationFrame(() => reach(left - 1))
  }
  if (opened) requestAnimationFrame(() => reach(MOST_FRAMES))
  else reach(0)
}
