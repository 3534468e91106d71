"""check_mesh.py FILE...: holds surface files against the arrays that they were written from.

The arrays lie beside them as position.bin, normal.bin, triangles.bin ...; one that is not there
must not be in a file either. PLY and OBJ are read by meshio too, which is not ours; VTP and GLB, which
meshio does not know, are taken apart here. Ends with a sentence where something differs.
"""
import base64
import json
import os
import struct
import sys
import xml.etree.ElementTree

import meshio
import numpy as np

SHAPES = {'position': 3, 'normal': 3, 'velocity': 3, 'colour': 3, 'body': 1, 'material': 1}


def wanted(name):
    """The array that was written: numbers that are not finite count as 0. None if there is none."""
    if not os.path.exists(name + '.bin'):
        return None
    kind = '<u4' if name in ('body', 'material', 'triangles') else '<f4'
    array = np.fromfile(name + '.bin', kind)
    if kind == '<f4':
        array[~np.isfinite(array)] = 0
    return array.reshape(-1, SHAPES.get(name, 3))


def srgb(linear):
    c = np.clip(linear.astype('f8'), 0, 1)
    return np.where(c <= 0.0031308, 12.92 * c, 1.055 * c ** (1 / 2.4) - 0.055)


def expect(condition, sentence):
    if not condition:
        sys.exit('%s: %s' % (path_now, sentence))


def same(name, found, tolerance=0.0):
    right = wanted(name)
    expect((right is None) == (found is None), name + (' lacks' if found is None else ' is there'))
    if right is None:
        return
    if name == 'colour':
        right = right if tolerance == 0 else srgb(right)
    found = np.asarray(found).reshape(right.shape)
    expect(np.all(np.abs(found.astype('f8') - right.astype('f8')) <= tolerance), name + ' differs')


def columns(data, names):
    return np.column_stack([data[n] for n in names]) if names[0] in data else None


def check_ply(path):
    mesh = meshio.read(path)
    data = mesh.point_data
    expect(mesh.points.dtype == np.float32 or not len(mesh.points), 'positions are not float32')
    same('position', mesh.points)
    same('normal', columns(data, ['nx', 'ny', 'nz']))
    same('velocity', columns(data, ['vx', 'vy', 'vz']))
    colour = columns(data, ['red', 'green', 'blue'])
    # meshio takes uchar for a signed byte
    expect(colour is None or colour.dtype == np.int8, 'colours are not bytes')
    colour = None if colour is None else colour.view(np.uint8)
    same('colour', None if colour is None else colour / 255.0, 0.5001 / 255)
    for name in ('body', 'material'):
        found = data.get(name)
        same(name, None if found is None else found.astype('u4'))
    same('triangles', np.concatenate([c.data for c in mesh.cells] or [np.zeros((0, 3))]))


def check_obj(path):
    rows = [line.split() for line in open(path)]
    number = {k: np.array([r[1:] for r in rows if r[0] == k], 'f8') for k in ('v', 'vn')}
    expect('nan' not in open(path).read().lower(), 'nan is in it')
    points = number['v'] if len(number['v']) else np.zeros((0, 3))
    width = points.shape[1]
    same('position', points[:, :3].astype('f4'))
    same('normal', number['vn'].astype('f4') if wanted('normal') is not None else None)
    coloured = wanted('colour') is not None and len(points)
    expect(len(points) == 0 or width == (6 if coloured else 3), 'a vertex has %d numbers' % width)
    if coloured:
        same('colour', points[:, 3:], 1e-6)
    corners = [[c.split('/') for c in r[1:]] for r in rows if r[0] == 'f']
    expect(all(len(c) == (1 if wanted('normal') is None else 3) for f in corners for c in f),
           'a corner is not a//a')
    expect(all(c[-1] == c[0] and (len(c) == 1 or c[1] == '') for f in corners for c in f),
           'a corner has not its own normal')
    same('triangles', np.array([[int(c[0]) - 1 for c in f] for f in corners]).reshape(-1, 3))
    if len(points) and not coloured:
        mesh = meshio.read(path)
        same('position', mesh.points.astype('f4'))
        same('triangles', mesh.cells[0].data)


def vtk_array(element):
    kinds = {'Float32': '<f4', 'UInt32': '<u4', 'Int32': '<i4'}
    data = base64.b64decode(element.text.strip(), validate=True)
    expect(struct.unpack('<Q', data[:8])[0] == len(data) - 8, 'an array has a wrong length')
    array = np.frombuffer(data[8:], kinds[element.attrib['type']])
    return array.reshape(-1, int(element.attrib['NumberOfComponents']))


def check_vtp(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    expect(root.attrib['type'] == 'PolyData' and root.attrib['header_type'] == 'UInt64', 'header')
    piece = root.find('PolyData/Piece')
    arrays = {a.attrib['Name']: a for a in piece.iter('DataArray')}
    expect(all(a.attrib['format'] == 'binary' for a in arrays.values()), 'not inline')
    found = {name: vtk_array(a) for name, a in arrays.items()}
    same('position', found['position'])
    expect(int(piece.attrib['NumberOfPoints']) == len(found['position']), 'number of points')
    for name in ('normal', 'velocity', 'colour', 'body', 'material'):
        same(name, found.get(name))
    same('triangles', found['connectivity'])
    count = int(piece.attrib['NumberOfPolys'])
    expect(np.array_equal(found['offsets'].ravel(), 3 * np.arange(1, count + 1)), 'offsets')


def glb_parts(path):
    data = open(path, 'rb').read()
    magic, version, length, size = struct.unpack('<4sIII', data[:16])
    expect(magic == b'glTF' and version == 2 and length == len(data), 'header')
    expect(data[16:20] == b'JSON', 'the first chunk is not JSON')
    text, rest = json.loads(data[20:20 + size].decode()), data[20 + size:]
    if rest:
        expect(rest[4:8] == b'BIN\0' and struct.unpack('<I', rest[:4])[0] == len(rest) - 8, 'BIN')
    return text, rest[8:]


def check_glb(path):
    text, data = glb_parts(path)
    expect(text['asset']['version'] == '2.0', 'version')
    if len(wanted('triangles')) == 0:
        expect('meshes' not in text and not data and len(text['nodes']) == 1, 'not empty')
        return

    def accessor(number):
        a = text['accessors'][number]
        view = text['bufferViews'][a['bufferView']]
        cut = data[view['byteOffset']:view['byteOffset'] + view['byteLength']]
        array = np.frombuffer(cut, {5126: '<f4', 5125: '<u4'}[a['componentType']])
        return array.reshape(a['count'], {'VEC3': 3, 'SCALAR': 1}[a['type']])

    primitive = text['meshes'][0]['primitives'][0]
    found = {name: accessor(n) for name, n in primitive['attributes'].items()}
    same('position', found['POSITION'])
    bounds = text['accessors'][primitive['attributes']['POSITION']]
    expect(np.array_equal(np.float32(bounds['min']), found['POSITION'].min(axis=0)), 'min')
    expect(np.array_equal(np.float32(bounds['max']), found['POSITION'].max(axis=0)), 'max')
    same('normal', found.get('NORMAL'), 2e-7)
    same('velocity', found.get('_VELOCITY'))
    same('body', found.get('_BODY'))
    same('material', found.get('_MATERIAL'))
    expect((wanted('colour') is None) == ('COLOR_0' not in found), 'colour')
    if 'COLOR_0' in found:
        expect(np.array_equal(found['COLOR_0'], np.clip(wanted('colour'), 0, 1)), 'colour differs')
    same('triangles', accessor(primitive['indices']))


for path_now in sys.argv[1:]:
    globals()['check_' + path_now.rsplit('.', 1)[1]](path_now)
