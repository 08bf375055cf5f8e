"""What every game shares: requests, candidates, refusals, flows, milestones, audit."""
