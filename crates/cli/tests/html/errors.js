// Stands before everything else on the page under test.
window.problems = [];
window.addEventListener("error", (event) => window.problems.push(String(event.message)));
window.addEventListener("securitypolicyviolation", (event) => window.problems.push(`blocked: ${event.blockedURI}`));
