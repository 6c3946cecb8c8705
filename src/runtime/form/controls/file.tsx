import { Attachments } from './Attachments'
import type { ControlProps } from './control'

const File = (props: ControlProps) => <Attachments {...props} multiple={false} />

export default File
