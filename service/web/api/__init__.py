"""The API for programs: what can be asked, who asks, and the description that follows from both."""
