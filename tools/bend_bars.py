#!/usr/bin/python3
"""Softness of bars of particles over theory, in bending and twist: the table in docs/corotated.md.

A bar is periodic along x. A displacement that bends, twists or stretches it evenly has the same
strain at every x, so the equilibrium is that displacement plus one that repeats with the period.
This solves the linear equations for the latter, with the energy of src/models/elastic: strains
from corrected gradients, and residuals with the stiffness kappa (cubic spline, support of 2
spacings). Young's modulus and the spacing are 1. Needs numpy and scipy.
"""
import sys

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as solve
from scipy.spatial import cKDTree

SUPPORT = 2.0
HALF = np.sqrt(0.5)


def weight(r):
    q = r / SUPPORT
    a, b = np.maximum(1 - q, 0), np.maximum(0.5 - q, 0)
    return 48 / (np.pi * SUPPORT**5) * (a * a - 4 * b * b) / q


class Bar:
    """Particles with rest neighbours; pitch: of planes along x, y and z, in spacings."""

    def __init__(self, pitch, layers, taken, shift=lambda y: 0.0):
        high, broad = layers
        self.period = pitch[0] * (2 if taken is not every else 1)
        self.size = np.array([high * pitch[1], broad * pitch[2]])
        self.x = np.array([(pitch[0] * x, pitch[1] * (y + 0.5 - high / 2), pitch[2] * (z + 0.5 - broad / 2 + shift(y)))
                           for x in range(round(self.period / pitch[0])) for y in range(high) for z in range(broad)
                           if taken(x, y, z)])
        reach = int(np.ceil(SUPPORT / self.period))
        copies = np.concatenate([self.x + [k * self.period, 0, 0] for k in range(-reach, reach + 1)])
        tree, count = cKDTree(copies), len(self.x)
        self.near, self.d, self.w = [], [], []
        for x in self.x:
            found = np.array([k for k in tree.query_ball_point(x, SUPPORT * (1 - 1e-6))
                              if np.linalg.norm(copies[k] - x) > 1e-6])
            self.near.append(found % count)
            self.d.append(copies[found] - x)
            self.w.append(weight(np.linalg.norm(copies[found] - x, axis=1)))
        self.A = [np.einsum('n,na,nb->ab', w, d, d) for w, d in zip(self.w, self.d)]

    def assemble(self, poisson, kappa):
        """The stiffness of each particle's energy in the differences to its neighbours, and that of all."""
        mu, lam = 0.5 / (1 + poisson), poisson / (1 + poisson) / (1 - 2 * poisson)
        self.own, rows, columns, values = [], [], [], []
        for i, (d, w, A) in enumerate(zip(self.d, self.w, self.A)):
            n = len(w)
            slope = (d * w[:, None]) @ np.linalg.inv(A)
            strain = np.zeros((3, 3, n, 3))
            for a in range(3):
                for b in range(3):
                    strain[a, b, :, a] += 0.5 * slope[:, b]
                    strain[a, b, :, b] += 0.5 * slope[:, a]
            trace = (strain[0, 0] + strain[1, 1] + strain[2, 2]).reshape(-1)
            strain = strain.reshape(9, 3 * n)
            residual = np.diag(w) - slope @ (d * w[:, None]).T
            K = 2 * mu * strain.T @ strain + lam * np.outer(trace, trace)
            K += kappa(poisson, A) * np.kron(residual, np.eye(3))
            self.own.append(K)
            to = np.kron(np.hstack([np.eye(n), -np.ones((n, 1))]), np.eye(3))
            at = (np.append(self.near[i], i)[:, None] * 3 + np.arange(3)).reshape(-1)
            rows.append(np.repeat(at, len(at)))
            columns.append(np.tile(at, len(at)))
            values.append((to.T @ K @ to).reshape(-1))
        size = 3 * len(self.x)
        K = sparse.csc_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
                              shape=(size, size))
        fixed = np.zeros((size, 4))  # rigid motions that repeat: three shifts, and the turn about x
        for a in range(3):
            fixed[a::3, a] = 1
        fixed[1::3, 3], fixed[2::3, 3] = -self.x[:, 2], self.x[:, 1]
        fixed = sparse.csc_matrix(fixed)
        self.factors = solve.splu(sparse.bmat([[K, fixed], [fixed.T, None]], format='csc'))

    def energy(self, motion):
        size = 3 * len(self.x)
        force, energy = np.zeros(size + 4), 0.0
        for i, d in enumerate(self.d):
            u = (motion(self.x[i] + d) - motion(self.x[i][None])).reshape(-1)
            f = self.own[i] @ u
            energy += 0.5 * u @ f
            np.add.at(force[:size].reshape(-1, 3), self.near[i], f.reshape(-1, 3))
            force[3 * i:3 * i + 3] -= f.reshape(-1, 3).sum(0)
        return energy - 0.5 * force @ self.factors.solve(force)

    def softness(self, poisson, kappa):
        """Of bending and of twist: theory's energy over that of the particles."""
        self.assemble(poisson, kappa)
        high, broad = self.size

        def bent(p):
            x, y, z = p.T
            return np.stack([x * y, -0.5 * (x * x + poisson * (y * y - z * z)), -poisson * y * z], 1)

        def twisted(p):
            x, y, z = p.T
            return np.stack([0 * x, -x * z, x * y], 1)

        long, short = max(high, broad), min(high, broad)
        odd = np.arange(1, 200, 2)
        J = long * short**3 / 3 * (1 - 192 * short / np.pi**5 / long
                                   * np.sum(np.tanh(odd * np.pi * long / 2 / short) / odd**5))
        return (0.5 * broad * high**3 / 12 * self.period / self.energy(bent),
                0.25 / (1 + poisson) * J * self.period / self.energy(twisted))


def every(x, y, z):
    return True


def lattice(n, m=0):
    return Bar((1, 1, 1), (n, m or n), every)


def turned_along(n):
    return Bar((0.5, HALF, HALF), (n, n), lambda x, y, z: x == 0 and (y + z) % 2 == 0)


def turned_across(n, m):
    return Bar((HALF, HALF, 1), (n, m), lambda x, y, z: (x + y) % 2 == 0)


def hexagonal(n, m):
    a = 2**(1 / 6)
    return Bar((a / 2, a * np.sqrt(2 / 3), a * np.sqrt(3) / 2), (n, m), lambda x, y, z: (x + y + z) % 2 == 0,
               lambda y: (1 if y % 2 else -1) / 6)


def main():
    kappas = {'before': lambda nu, A: 0.3 / np.trace(A), 'now': lambda nu, A: 2 / (1 + nu) / np.trace(A)}
    bars = [('lattice', lattice(n)) for n in (3, 4, 5, 6, 8)] + [('broad lattice', lattice(4, 8))]
    bars += [('turned along', turned_along(n)) for n in (6, 8)]
    bars += [('turned across', turned_across(n, m)) for n, m in ((6, 4), (8, 6))]
    bars += [('hexagonal', hexagonal(n, m)) for n, m in ((5, 5), (7, 6))]
    poissons = (0, 0.3, 0.45)
    print('softness over theory, Poisson\'s ratio', poissons)
    for name, bar in bars:
        for word, kappa in kappas.items():
            found = np.array([bar.softness(nu, kappa) for nu in poissons])
            print('%-14s %.2f x %.2f  %-6s bent %s  twisted %s'
                  % (name, *bar.size, word, *(' '.join('%.3f' % v for v in found[:, k]) for k in range(2))))


if __name__ == '__main__':
    sys.exit(main())
