"""The pages. A route reads the request, calls one function and renders what it returns."""
