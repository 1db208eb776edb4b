"""What Python users call: analyse, score, and an estimator for scikit-learn."""
