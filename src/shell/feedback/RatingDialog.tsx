import FormContainer from '../../runtime/action/FormContainer'
import { PageHostProvider } from '../host/PageHostProvider'

interface RatingDialogProps {
  title: string
  values: object
  onDone(): void
  onCancel(): void
}

/** Asks for a rating, in the form of its questions; closed without one it stays away for some days. */
const RatingDialog = ({ values, ...given }: RatingDialogProps) => (
  <PageHostProvider pageKey="rating" tabId={null}>
    <FormContainer form="csc/rating" container="modal" values={{ ...values }} {...given} />
  </PageHostProvider>
)
export default RatingDialog
