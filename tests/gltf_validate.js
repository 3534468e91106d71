// gltf_validate.js MODULES FILE...: runs Khronos' glTF validator (npm: gltf-validator) on GLB files.
//
// Ends with 0 if it finds neither errors nor warnings, 77 if it is not installed, 1 otherwise.
const fs = require('fs');
const [modules, ...files] = process.argv.slice(2);

let validator;
try {
	validator = require(modules + '/gltf-validator');
} catch (error) {
	console.log('gltf-validator is not in ' + modules + ': run `tools/setup.sh --tests` with a network');
	process.exit(77);
}

async function check(file) {
	const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
	const bad = report.issues.messages.filter(message => message.severity <= 1);
	for (const message of bad)
		console.log(`${file}: ${message.code} at ${message.pointer}: ${message.message}`);
	return bad.length === 0 && report.mimeType === 'model/gltf-binary';
}

Promise.all(files.map(check)).then(
	good => process.exit(good.length > 0 && good.every(Boolean) ? 0 : 1),
	error => {
		console.log(String(error));
		process.exit(1);
	});
