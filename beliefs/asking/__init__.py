"""What a posterior can be asked: many questions at once, what they tell, and every world."""
