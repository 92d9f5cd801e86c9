"""What helps to plan in Scotland Yard: playouts, filters, categories and evaluations."""
