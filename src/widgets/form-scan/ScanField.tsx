import { Button } from 'antd'
import { useState } from 'react'
import { useNeighbours } from '../../runtime/form/view/session'
import { useHost } from '../../runtime/hostContext'
import type { WidgetProps } from '../../runtime/widget'
import { Pieces, type Expected } from './pieces'
import { ScanDialog } from './ScanDialog'
import { TEXTS } from './texts'

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

interface ScanProps {
  path: string
  direction: 'in' | 'out'
  products: string
  backFrom?: string
  product?: string
  quantity?: string
  place?: string
}

/** The number of pieces, and the dialog in which they are scanned. In a cell that was entered with the pointer it opens at once. */
const ScanField = ({ props, values }: WidgetProps<ScanProps>) => {
  const { locale } = useHost()
  const texts = TEXTS[locale]
  const path = text(values.path)
  const beside = useNeighbours(path)
  const onChange = values.onChange as ((value: string | null) => void) | undefined
  const fixed = !onChange || values.disabled === true || values.readOnly === true
  const [open, setOpen] = useState(!fixed && values.opened === true)
  const value = text(values.value)
  const quantity = props.quantity ?? 'qty'
  const wanted = text(beside.get(quantity))
  const [pieces] = useState(() => new Pieces(value))
  const expected: Expected = {
    direction: props.direction,
    backFrom: props.backFrom,
    productId: text(beside.get(props.product ?? 'productId')) || null,
    placeId: text(beside.get(props.place ?? 'warehouseId')) || null,
  }
  const close = (): void => {
    setOpen(false)
    if (pieces.size > 0 && !(Number(wanted) > 0)) beside.set(quantity, String(pieces.size))
  }
  return (
    <>
      <Button
        id={text(values.id) || undefined}
        aria-describedby={text(values.describedBy) || undefined}
        size={values.cell === true ? 'small' : 'middle'}
        disabled={fixed}
        onClick={() => setOpen(true)}
      >
        {texts.open} {texts.count(pieces.size, wanted)}
      </Button>
      {open && onChange && (
        <ScanDialog
          pieces={pieces}
          wanted={wanted}
          expected={expected}
          path={props.path}
          products={props.products}
          onText={(lines) => onChange(lines === '' ? null : lines)}
          onClose={close}
        />
      )}
    </>
  )
}
export default ScanField
