"""check_archive.py FOLDER FRAMES [FRAME]: holds an archive of particles against itself and a world.

Every array that particles.xmf names must be there with the size it says, every frame must be
linked from particles.h5, and the times must be those of the files. With FRAME, the arrays of that
frame must be the very bytes in position.bin, velocity.bin ... of this folder.
"""
import os
import sys
import xml.etree.ElementTree

import h5py
import numpy as np

KINDS = {'position': '<f4', 'velocity': '<f4', 'density': '<f4', 'pressure': '<f4', 'temperature': '<f4',
         'phase': '<u4', 'id': '<u4', 'body': '<u4', 'material': '<u4'}
folder, frames = sys.argv[1], int(sys.argv[2])


def expect(condition, sentence):
    if not condition:
        sys.exit('%s: %s' % (folder, sentence))


def check_item(item):
    name, path = item.text.strip().split(':')
    found = h5py.File(os.path.join(folder, name), 'r')[path]
    expect(found.shape == tuple(map(int, item.attrib['Dimensions'].split())), item.text + ' size')
    kind = {'f': 'Float', 'u': 'UInt'}[found.dtype.kind]
    expect(kind == item.attrib['NumberType'] and item.attrib['Precision'] == '4', item.text)
    return found


def check_grid(grid, archive):
    frame = archive['frames/' + grid.attrib['Name'].split('_')[1]]
    count = len(frame['position'])
    expect(float(grid.find('Time').attrib['Value']) == frame.attrs['time'], 'time')
    topology = grid.find('Topology').attrib
    expect(topology['TopologyType'] == 'Polyvertex', 'topology')
    expect(int(topology['NumberOfElements']) == count > 0, 'number of particles')
    names = [a.attrib['Name'] for a in grid.findall('Attribute')]
    expect(sorted(names + ['position']) == sorted(KINDS), 'attributes')
    for item in grid.iter('DataItem'):
        check_item(item)


archive = h5py.File(os.path.join(folder, 'particles.h5'), 'r')
expect(len(archive['frames']) == frames, '%d frames are linked' % len(archive['frames']))
expect(archive.attrs['units'].startswith(b'SI'), 'units')
root = xml.etree.ElementTree.parse(os.path.join(folder, 'particles.xmf')).getroot()
series = root.find('Domain/Grid')
expect(series.attrib['CollectionType'] == 'Temporal', 'no series')
for grid in series.findall('Grid'):
    check_grid(grid, archive)
filled = [f for f in archive['frames'].values() if len(f['position'])]
expect(len(series.findall('Grid')) == len(filled), 'frames in the series')

if len(sys.argv) > 3:
    frame = archive['frames/%05d' % int(sys.argv[3])]
    expect(sorted(frame.keys()) == sorted(KINDS), 'datasets')
    for name, kind in KINDS.items():
        expect(frame[name].dtype == np.dtype(kind), name + ' has another type')
        expect(np.array_equal(frame[name][()].ravel(), np.fromfile(name + '.bin', kind)),
               name + ' differs')
    for name in ('time', 'step', 'spacing', 'version', 'units'):
        expect(name in frame.attrs, name + ' is not there')
