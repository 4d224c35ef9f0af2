/*
 * Which functions of a browser answer with a promise of what goes on out of sight (browser_work.js).
 */

function functionsOf(owner) {
  if (!owner) return [];
  const found = Object.entries(Object.getOwnPropertyDescriptors(owner));
  return found.filter(([name, { value }]) => name !== "constructor" && typeof value === "function").map(([name]) => name);
}

/** Owners and their functions whose promises end by themselves. */
function endingCalls(view) {
  const of = (name) => view[name] && view[name].prototype;
  return [
    [of("SubtleCrypto"), functionsOf(of("SubtleCrypto"))],
    [of("CacheStorage"), functionsOf(of("CacheStorage"))],
    [of("Cache"), functionsOf(of("Cache"))],
    [of("Blob"), ["arrayBuffer", "text", "bytes"]],
    [of("Response"), ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]],
    [of("Request"), ["arrayBuffer", "blob", "bytes", "formData", "json", "text"]],
    [of("ReadableStream"), ["pipeTo"]],
    [of("StorageManager"), ["estimate", "getDirectory", "persisted"]],
    [of("StorageBucketManager"), ["open", "keys", "delete"]],
    [of("FileSystemHandle"), ["isSameEntry", "move", "queryPermission", "remove"]],
    [of("FileSystemFileHandle"), ["getFile", "createWritable"]],
    [of("FileSystemDirectoryHandle"), ["getFileHandle", "getDirectoryHandle", "removeEntry", "resolve"]],
    [of("FileSystemWritableFileStream"), ["write", "seek", "truncate"]],
    [of("WritableStream"), ["close"]],
    [view.PublicKeyCredential, ["isConditionalMediationAvailable", "isUserVerifyingPlatformAuthenticatorAvailable", "getClientCapabilities"]],
    [view.RTCPeerConnection, ["generateCertificate"]],
    [of("XRSystem"), ["isSessionSupported"]],
    [of("IDBFactory"), ["databases"]],
    [of("LockManager"), ["query"]],
    [of("CSSStyleSheet"), ["replace"]],
    [of("Worklet"), ["addModule"]],
    [of("NavigatorUAData"), ["getHighEntropyValues"]],
    [of("MediaCapabilities"), ["decodingInfo", "encodingInfo"]],
    [of("Keyboard"), ["getLayoutMap"]],
    [of("GPU"), ["requestAdapter"]],
    [of("GPUAdapter"), ["requestDevice"]],
    [of("GPUBuffer"), ["mapAsync"]],
    [of("GPUQueue"), ["onSubmittedWorkDone"]],
    [of("HTMLImageElement"), ["decode"]],
    [of("FontFaceSet"), ["load"]],
    [of("BaseAudioContext"), ["decodeAudioData"]],
    [of("OfflineAudioContext"), ["startRendering"]],
    [of("OffscreenCanvas"), ["convertToBlob"]],
    [view, ["createImageBitmap"]],
    [view.WebAssembly, ["compile", "compileStreaming", "instantiate", "instantiateStreaming"]],
  ];
}

/** Those that may wait for a person, for another tab, or for a server that is asked unseen. */
function waitingCalls(view) {
  const of = (name) => view[name] && view[name].prototype;
  return [
    [of("Permissions"), ["query"]],
    [of("StorageManager"), ["persist"]],
    [of("WritableStreamDefaultWriter"), ["write", "close"]],
    [of("Clipboard"), ["read", "readText", "write", "writeText"]],
    [of("CookieStore"), ["get", "getAll", "set", "delete"]],
    [of("ServiceWorkerContainer"), ["register", "getRegistration", "getRegistrations"]],
    [of("ServiceWorkerRegistration"), ["update", "unregister"]],
    [of("CredentialsContainer"), ["create", "get", "store", "preventSilentAccess"]],
    [of("MediaDevices"), ["enumerateDevices", "getUserMedia", "getDisplayMedia"]],
    [of("HTMLVideoElement"), ["requestPictureInPicture"]],
    [of("Element"), ["requestFullscreen", "requestPointerLock"]],
    [of("Keyboard"), ["lock"]],
    [of("Document"), ["exitFullscreen", "exitPictureInPicture", "hasStorageAccess", "requestStorageAccess"]],
    [of("Navigator"), ["requestMediaKeySystemAccess", "getInstalledRelatedApps", "share", "setAppBadge", "clearAppBadge"]],
    [of("ScreenOrientation"), ["lock"]],
    [of("WakeLock"), ["request"]],
    [view.Notification, ["requestPermission"]],
    [view, ["getScreenDetails", "queryLocalFonts"]],
  ];
}
