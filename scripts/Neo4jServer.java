import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.neo4j.configuration.GraphDatabaseSettings;
import org.neo4j.configuration.connectors.BoltConnector;
import org.neo4j.configuration.helpers.SocketAddress;
import org.neo4j.dbms.api.DatabaseManagementServiceBuilder;

/**
 * A community server that speaks Bolt on loopback, with authentication on. Arguments: home folder, port, and the
 * process to end with (0: none). The password comes on standard input, so that no list of processes shows it; a
 * home that is new gets that password.
 */
public class Neo4jServer {
    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        int port = Integer.parseInt(args[1]);
        long owner = Long.parseLong(args[2]);
        String password =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        var service = new DatabaseManagementServiceBuilder(home)
                .setConfig(BoltConnector.enabled, true)
                .setConfig(BoltConnector.listen_address, new SocketAddress("127.0.0.1", port))
                .setConfig(BoltConnector.advertised_address, new SocketAddress("127.0.0.1", port))
                .setConfig(GraphDatabaseSettings.auth_enabled, true)
                .setConfig(GraphDatabaseSettings.pagecache_memory, 512L * 1024 * 1024)
                .setConfig(GraphDatabaseSettings.preallocate_logical_logs, false)
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(service::shutdown));
        Path known = home.resolve("password-is-set");
        if (!Files.exists(known)) {
            service.database("system")
                    .executeTransactionally(
                            "ALTER USER neo4j SET PASSWORD $password CHANGE NOT REQUIRED",
                            Map.of("password", password));
            Files.createFile(known);
        }
        System.out.println("ready");
        while (owner == 0 || ProcessHandle.of(owner).isPresent()) {
            Thread.sleep(500);
        }
        System.exit(0);
    }
}
