import '../../../runtime/cell/cell.css'

/** A value as lists show it. */
export const Tag = ({ label, color, retired }: { label: string; color: string | null; retired?: boolean }) => (
  <span className={`sb-tag${color && color !== 'default' ? ` sb-tag-${color}` : ''}${retired ? ' sb-tag-retired' : ''}`}>
    {label}
  </span>
)
