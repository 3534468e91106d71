#!/usr/bin/env bash
# film.sh [OOZE]: makes docs/images/film.webp, the moving picture of README.md: four scenes, one
# after the other, with a short cross-fade. Runs and pictures stay in build/film.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}
out=build/film
rate=20      # pictures a second; scenes have 30 frames a second, so that this is slow motion
fade=0.3     # s
limit=2000000 # bytes

# clip SCENE DURATION EVERY: pictures of a scene as a video, of which every so many are kept
clips=()
clip() {
	local run
	run=$out/$(basename "$1" .json)
	"$ooze" run "$1" -o "$run" --force --duration "$2"
	"$ooze" render "$run" --size 560x314 --samples 16
	ffmpeg -loglevel error -y -framerate $rate -i "$run/pictures/frame_%05d.png" \
		-vf "select=not(mod(n\,$3)),setpts=N/$rate/TB" -r $rate -c:v ffv1 -pix_fmt bgr0 "$run.mkv"
	clips+=("$run.mkv")
}

mkdir -p "$out"
clip scenes/row_of_five.json 1.2 1
clip scenes/duck_floats.json 1.2 1
clip scenes/jelly_sieve.json 1.6 1
clip scenes/wine_glass.json 2.4 2

# a chain of cross-fades; the film ends with the beginning of the first clip, so that it loops
clips+=("${clips[0]}")
inputs=()
filter=
length=0
last=0:v
for k in "${!clips[@]}"; do
	inputs+=(-i "${clips[k]}")
	if [ "$k" -gt 0 ]; then
		offset=$(awk "BEGIN { print $length - $fade }")
		filter+="[$last][$k:v]xfade=duration=$fade:offset=$offset[f$k];"
		last=f$k
		length=$offset
	fi
	seconds=$(ffprobe -v error -show_entries format=duration -of csv=p=0 "${clips[k]}")
	length=$(awk "BEGIN { print $length + $seconds }")
done
# from after the first fade's length to the same moment of the second showing
end=$(awk "BEGIN { print $length - $seconds + 2 * $fade }")
ffmpeg -loglevel error -y "${inputs[@]}" \
	-filter_complex "${filter}[$last]trim=start=$(awk "BEGIN { print 2 * $fade }"):end=$end,setpts=PTS-STARTPTS" \
	-c:v libwebp_anim -quality 95 -compression_level 6 -loop 0 -r $rate "$out/film.webp"
size=$(stat -c %s "$out/film.webp")
[ "$size" -le $limit ] || {
	echo "film.sh: $out/film.webp has $size bytes, more than $limit; lower -quality." >&2
	exit 1
}
cp "$out/film.webp" docs/images/film.webp
echo "docs/images/film.webp, $size bytes"
