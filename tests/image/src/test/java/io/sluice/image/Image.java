package io.sluice.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The content of an image's archive.
 *
 * @param config config with which a container is started
 * @param root the file system made of all layers
 */
record Image(JsonNode config, Path root) {
    /** The property that names the archive; without it there is nothing to test. */
    static final String ARCHIVE = "image.archive";

    private static final JsonMapper JSON = new JsonMapper();
    private static final String GONE = ".wh.";
    private static final String ALL_GONE = ".wh..wh..opq";

    /** Unpacks the archive into that folder. */
    static Image unpack(Path folder) throws IOException {
        var archive = Files.createDirectory(folder.resolve("archive"));
        var root = Files.createDirectory(folder.resolve("root"));
        tar("-xf", System.getProperty(ARCHIVE), "-C", archive.toString());
        var manifest = json(archive.resolve("manifest.json")).required(0);
        for (var layer : manifest.required("Layers")) {
            lay(archive.resolve(layer.textValue()), root);
        }
        return new Image(json(archive.resolve(manifest.required("Config").textValue())), root);
    }

    static JsonNode json(Path file) throws IOException {
        return JSON.readTree(file.toFile());
    }

    static String[] texts(JsonNode list) {
        return list.valueStream().map(JsonNode::textValue).toArray(String[]::new);
    }

    /** A label of the image, by its name after {@code org.opencontainers.image}. */
    String label(String name) {
        return started("Labels").required("org.opencontainers.image." + name).textValue();
    }

    /** A key of the config with which a container is started, such as {@code Entrypoint}. */
    JsonNode started(String key) {
        return config.required("config").required(key);
    }

    Path file(String path) {
        return root.resolve(path.substring(1));
    }

    private static void lay(Path layer, Path root) throws IOException {
        for (var name : tar("-tf", layer.toString()).lines().toList()) {
            remove(root.resolve(name).normalize());
        }
        tar("-xpf", layer.toString(), "-C", root.toString(), "--exclude=" + GONE + "*");
    }

    private static void remove(Path mark) throws IOException {
        var name = mark.getFileName().toString();
        if (name.equals(ALL_GONE)) {
            for (var child : children(mark.getParent())) {
                delete(child);
            }
        } else if (name.startsWith(GONE)) {
            delete(mark.resolveSibling(name.substring(GONE.length())));
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        try (var children = Files.list(folder)) {
            return children.toList();
        }
    }

    private static void delete(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static String tar(String... arguments) throws IOException {
        var command = Stream.concat(Stream.of("tar", "--warning=no-unknown-keyword"), Stream.of(arguments))
                .toList();
        var tar = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        var output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (tar.onExit().join().exitValue() != 0) {
            throw new IOException("failed: " + command);
        }
        return output;
    }
}
