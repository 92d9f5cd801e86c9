"""Parts of HTML reports: elements, sections, lists, pictures and their style."""
