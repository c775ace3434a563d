import icon from '../icon.svg';

export const Logo = () => (
  <span className="logo">
    <img src={icon} alt="" width={24} height={24} />
    Waybill
  </span>
);
