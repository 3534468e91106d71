#!/usr/bin/python3
"""fit_kernel.py [SUPPORT]: the coefficients of the kernel `fitted` (src/math/sph.h).

W = h^-3 sum a_m (1 - q^2)^m, m = 2 ... 8, is fitted so that the sum of W is the same for all packings
of equal density: simple, body-centred and face-centred lattices under random shear in which no two
points are nearer than 0.93 spacings. Conditions: the integral of W is 1, W falls with the distance,
and its Fourier transform is nowhere below -2e-4, so that particles do not form pairs. Prints the
coefficients, and the standard deviation of the sum for them and for other kernels.

Needs the Debian packages python3-numpy and python3-scipy.
"""
import sys

import numpy as np
from scipy.optimize import minimize

NEAREST = 0.93
COUNT = 400
POWERS = np.arange(2, 9)
CELLS = {
    "simple": [(0, 0, 0)],
    "centred": [(0, 0, 0), (0.5, 0.5, 0.5)],
    "packed": [(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)],
}


def random_packing(rng, reach):
    """Distances (spacings) of the points of a sheared lattice from one of them, nearer than reach."""
    n = np.arange(-7, 8)
    grid = np.stack(np.meshgrid(n, n, n, indexing="ij"), -1).reshape(-1, 3)
    cell = np.array(CELLS[rng.choice(list(CELLS))])
    points = (grid[:, None, :] + cell[None]).reshape(-1, 3) * len(cell) ** (1 / 3)
    strain = rng.normal(size=(3, 3)) * rng.choice([0.05, 0.15, 0.3, 0.5])
    strain -= np.eye(3) * np.trace(strain) / 3
    shear = np.linalg.inv(np.eye(3) - strain / 2) @ (np.eye(3) + strain / 2)
    shear /= np.cbrt(np.linalg.det(shear))
    r = np.linalg.norm(points @ shear.T, axis=1)
    return r[r < reach]


def packings(reach, seed):
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < COUNT:
        r = random_packing(rng, reach)
        if np.sort(r)[1] > NEAREST:
            found.append(r)
    return found


def powers_of(r, support):
    return [np.sum(np.maximum(1 - (r / support) ** 2, 0) ** m) for m in POWERS]


def fit(support, lattices):
    sums = np.array([powers_of(r, support) for r in lattices]) / support**3
    q = np.linspace(0, 1, 2001)
    integral = np.array([np.trapz(4 * np.pi * q**2 * (1 - q**2) ** m, q) for m in POWERS])
    u = np.linspace(0, 1, 60)
    falls = np.array([m * u ** (m - 1) for m in POWERS]).T / integral
    transform = np.array([[np.trapz(4 * np.pi * q**2 * np.sinc(k * q / np.pi) * (1 - q**2) ** m, q)
                           for m in POWERS] for k in np.linspace(0.5, 60, 120)]) / integral
    spread = (sums - sums.mean(0)) / integral
    hessian = spread.T @ spread / len(spread) + 1e-13 * np.eye(len(POWERS))
    conditions = [{"type": "eq", "fun": lambda x: x.sum() - 1},
                  {"type": "ineq", "fun": lambda x: falls @ x},
                  {"type": "ineq", "fun": lambda x: transform @ x + 2e-4}]
    best = None
    rng = np.random.default_rng(0)
    for trial in range(8):
        start = np.full(len(POWERS), 1 / len(POWERS)) + (rng.normal(size=7) if trial else 0)
        found = minimize(lambda x: 1e6 * x @ hessian @ x, start / start.sum(),
                         jac=lambda x: 2e6 * hessian @ x, method="SLSQP", constraints=conditions,
                         options={"maxiter": 3000, "ftol": 1e-13})
        if found.success and (best is None or found.fun < best.fun):
            best = found
    return best.x / integral


def deviation(kernel, support, lattices):
    """Standard deviation of the sum over its mean, per cent."""
    sums = np.array([kernel(r / support).sum() for r in lattices])
    return 100 * sums.std() / sums.mean()


def cubic(q):
    return np.maximum(1 - q, 0) ** 3 - 4 * np.maximum(0.5 - q, 0) ** 3


def wendland(q):
    return np.maximum(1 - q, 0) ** 4 * (1 + 4 * q)


def main():
    support = float(sys.argv[1]) if len(sys.argv) > 1 else 2.2
    a = fit(support, packings(support, 1))
    print(f"support {support:g}:", ", ".join(f"{x:.6g}" for x in a))
    kernels = {"fitted": (lambda q: sum(c * np.maximum(1 - q * q, 0) ** m for c, m in zip(a, POWERS)), support),
               "cubic, support 2": (cubic, 2.0), "wendland, support 2.5": (wendland, 2.5),
               "wendland, support 3": (wendland, 3.0)}
    for name, (kernel, reach) in kernels.items():
        print(f"  {name}: the sum deviates by {deviation(kernel, reach, packings(reach, 2)):.3f} %")


main()
