import { currencyDigits } from '../../../schema/formats/currency-digits'
import { useTracked } from '../view/track'
import { siblingValue, useSession } from '../view/session'
import { NumberInput } from './NumberInput'
import type { ControlProps } from './control'
import { currencyOf } from './shown'

/** An amount with its currency: a fixed one, or that of the field beside it. */
const Money = (props: ControlProps) => {
  const session = useSession()
  const [currency] = useTracked(
    session.engine.form,
    () => [currencyOf(props.field, props.props, (name) => siblingValue(session, props.path, name))] as const,
  )
  const decimals = props.field?.scale ?? (currency ? Math.max(currencyDigits(currency), 2) : 4)
  return <NumberInput {...props} as="text" decimals={decimals} suffix={currency} />
}

export default Money
