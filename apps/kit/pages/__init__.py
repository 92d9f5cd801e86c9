"""What HTML reports are made of: elements, sections, lists, pictures and their style."""
