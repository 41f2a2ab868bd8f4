"""The schools of a county: districts, schools, teachers, classes, pupils, results, inspections and attendance."""
