import CarryModel
