#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/smb/smb_compression.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The versions of SMB, oldest first: a connection speaks the lower of what both ends know.
enum class SmbVersion : std::uint8_t {
  nt_lm_0_12,  ///< SMB 1.0, Windows NT 4.0 to Server 2003
  smb2_2_002,  ///< SMB 2.0, Vista and Server 2008
  smb2_2_1,    ///< SMB 2.1, Windows 7 and Server 2008 R2: requests beyond 64 KiB
  smb3_3_0,    ///< SMB 3.0, Windows 8 and Server 2012
  smb3_3_1_1,  ///< SMB 3.1.1, Windows 10 and Server 2016
};
[[nodiscard]] std::string_view to_string(SmbVersion version);
constexpr std::array<SmbVersion, 5> all_values(SmbVersion) {
  return {SmbVersion::nt_lm_0_12, SmbVersion::smb2_2_002, SmbVersion::smb2_2_1,
          SmbVersion::smb3_3_0, SmbVersion::smb3_3_1_1};
}

/// The SMB client of one system: section `redirector` of its sheet.
struct RedirectorConfig {
  SmbVersion version = SmbVersion::nt_lm_0_12;  ///< the highest that this system speaks

  // How an application's read or write is cut.
  Bytes smb1_read{61440};  ///< 60 KiB; documented: CIFSGLOB ("at most 60 KB reads")
  /// 60 KiB; documented: PCM1 for the copy engine. The protocol allows 65,535 (CIFSGLOB), which
  /// Windows clients do not send; Samba's Unix extensions allow more (measured: 130,048).
  Bytes smb1_write{61440};
  /// Requests that MaxBufferSize limits are whole multiples of this: 1,024 in Samba (measured:
  /// 16,384 of 16,644), anything in Windows (4,292 of 4,356; MCPMAG).
  Bytes smb1_grain{1};
  /// MaxBufferSize that the client announces: it limits the entries in one answer to a search
  /// (assumed for Windows as its servers'; measured for Samba: 65,535).
  Bytes smb1_max_buffer{16644};
  /// Whether writes beyond MaxBufferSize are signed too; Samba sends none (measured).
  bool smb1_signed_large_writes = true;
  Bytes smb2_read{65536};   ///< documented: MS-SMB2 3.2.4.1.5, without large MTU
  Bytes smb2_write{65536};  ///< documented: as above
  /// The largest read or write from 2.1 on (large MTU): 1 MiB in Windows (measured: WINNTFS-FC).
  Bytes smb2_large_io = 1_MiB;
  /// Whether the pieces of one application read or write go out side by side. SMB1: one at a time
  /// (inferred from MCPMAG, `mechanisms.md` 6.1); SMB2: side by side (documented: JOSH).
  bool smb1_concurrent_pieces = false;
  bool smb2_concurrent_pieces = true;

  // How many requests may be outstanding on a connection, besides the server's own limit.
  int smb1_max_commands = 50;  ///< MaxCmds; measured: SMALLVOID-SMB (NT 4.0: 15)
  /// SMB2 clients keep to their credits alone: MaxCmds does not affect connections with SMB 2
  /// servers (documented: Microsoft, Performance tuning for file servers). 65,535 is no limit.
  int smb2_max_outstanding = 65535;

  // Caching on this machine of files that are opened cached with local buffering, as far as an
  // oplock or lease of the server allows it.
  /// Asks for an oplock (a lease from 2.1 on) with each open; without one nothing is cached.
  bool oplocks = true;
  /// Bytes that are read ahead of a sequential reader; zero: none. Several pieces go side by side.
  Bytes read_ahead{0};
  /// Bytes that a program may be ahead of the wire with cached writes; zero: each write waits for
  /// the server's answer. Zero is inferred for XP, whose one write of 4,292 bytes per round trip
  /// MCPMAG saw.
  Bytes write_behind{0};

  // Processor time, on the reference core of `SharedCpu`.
  /// Inferred: the client's share of a LAN turnaround of 0.6 ms, see `SmbServerConfig`.
  Duration request_cpu = 120us;
  Bandwidth copy{1.5e9};  ///< inferred: bytes that go through the local cache are copied once more

  // Metadata round trips per file. `query` is one more each; so a file that is pulled costs
  // 1 + 1 + 1 + 4 + 1 = 8, one that is pushed 1 + 1 + 1 + 1 + set_size + set_times + 1 + 1 = 8
  // (unknown: 6 to 12, `mechanisms.md` 1.4 names the kinds).
  int open_path_queries = 1;      ///< QUERY_PATH_INFO before opening for reading
  int open_file_queries = 4;      ///< QUERY_FILE_INFO after it: standard, basic, EA, streams
  int create_volume_queries = 1;  ///< QUERY_FS_INFO (free space) before creating
  int create_file_queries = 1;    ///< QUERY_FILE_INFO after creating
  int close_find_queries = 1;     ///< FIND_FIRST2 after closing a new file (change notification)
  /// SMB2: an open and its queries travel in one message (measured: TOMS).
  bool smb2_compounds = true;
  /// A directory is first searched for in its parent, then listed (measured: Samba).
  bool list_looks_up = false;
  /// SMB2: to list a directory it is opened, asked until nothing is left, and closed, in messages
  /// of their own (measured: Samba); false: one compounded chain.
  bool smb2_list_handles = false;

  /// Whether CopyFileEx has the server copy when both files are on one share. Windows 8 and Server
  /// 2012 on do, for Explorer and everything else (documented: Micro Focus OES CIFS, 5.12).
  bool server_copy = false;

  /// Every message is signed; it is enough that one end asks for it.
  bool signing = false;
  /// Every message is encrypted, which replaces its signature (MS-SMB2 3.1.4.3; smbclient: `-e`,
  /// Windows: RequirePrivacy); it is enough that one end asks for it. From SMB 3.0 on.
  bool encryption = false;
  /// The algorithm that it offers for compressing file data, from SMB 3.1.1 on; none: it offers
  /// none, as all systems before Windows 11 and Server 2022. Those use LZ77, alias XPRESS, by
  /// default (documented: Microsoft, SMB compression).
  SmbCompression compression = SmbCompression::none;
  /// Asks for it with every read and write (CompressAllRequests, MS-SMB2 3.2.4.1.9; documented:
  /// Set-SmbClientConfiguration, RequestCompression), not only for programs that do.
  bool compress_all = false;
  /// What `CompressionSample` decides by; zero: it compresses always, as Windows since August 2022
  /// (documented: Neowin 2022). Before: 500 MiB and 100 MiB.
  Bytes compression_sample{0};
  Bytes compression_threshold = 100_MiB;
  /// TCP connections of one session, from SMB 3.0 on (multichannel, MS-SMB2 3.2.4.1.7); an older
  /// dialect has one. Windows makes four per card that scales reception over cores, one otherwise
  /// (documented: Set-SmbClientConfiguration, ConnectionCountPerRssNetworkInterface); smbclient
  /// one.
  int channels = 1;
  /// Threads that make requests and take answers; zero: as many as there are requests. A program
  /// such as smbclient has one, and its processor work stands in one queue.
  int threads = 0;

  // What it does when the connection fails (`SmbSession`).
  /// A message that is not through after this ends the connection: SessTimeout, 45 s to XP
  /// (documented: KB102067) and 60 s from Vista on; 20 s in smbclient (its source, CLIENT_TIMEOUT).
  Duration request_timeout = 45s;
  /// Whether files survive it: SMB 2 asks for durable handles (documented: MS-SMB2 3.2.4.3.2).
  bool durable_handles = false;
  /// How long it tries to connect again before its requests fail (inferred: about a minute).
  Duration reconnect_for = 60s;

  static constexpr auto parameters = std::tuple{
      parameter("version", &RedirectorConfig::version, "highest SMB version it speaks"),
      parameter("smb1_read", &RedirectorConfig::smb1_read, "largest read request, SMB1",
                between(Bytes{512}, Bytes{65535})),
      parameter("smb1_write", &RedirectorConfig::smb1_write, "largest write request, SMB1",
                between(Bytes{512}, Bytes{131071})),
      parameter("smb1_grain", &RedirectorConfig::smb1_grain,
                "requests that MaxBufferSize limits are multiples of this, SMB1",
                between(Bytes{1}, Bytes{1024})),
      parameter("smb1_max_buffer", &RedirectorConfig::smb1_max_buffer,
                "MaxBufferSize of the client, SMB1", between(Bytes{1024}, Bytes{65535})),
      parameter("smb1_signed_large_writes", &RedirectorConfig::smb1_signed_large_writes,
                "whether signed writes may go beyond MaxBufferSize, SMB1"),
      parameter("smb2_read", &RedirectorConfig::smb2_read, "largest read request, SMB 2.002",
                between(Bytes{512}, Bytes{65536})),
      parameter("smb2_write", &RedirectorConfig::smb2_write, "largest write request, SMB 2.002",
                between(Bytes{512}, Bytes{65536})),
      parameter("smb2_large_io", &RedirectorConfig::smb2_large_io,
                "largest read or write request from SMB 2.1 on",
                between(Bytes{65536}, Bytes{8388608})),
      parameter("smb1_concurrent_pieces", &RedirectorConfig::smb1_concurrent_pieces,
                "whether the pieces of one read or write go side by side, SMB1"),
      parameter("smb2_concurrent_pieces", &RedirectorConfig::smb2_concurrent_pieces,
                "whether the pieces of one read or write go side by side, SMB2"),
      parameter("smb1_max_commands", &RedirectorConfig::smb1_max_commands,
                "requests outstanding at most, SMB1", between(1, 65535)),
      parameter("smb2_max_outstanding", &RedirectorConfig::smb2_max_outstanding,
                "requests outstanding at most, SMB2", between(1, 65535)),
      parameter("oplocks", &RedirectorConfig::oplocks,
                "asks for oplocks or leases, without which it caches nothing"),
      parameter("read_ahead", &RedirectorConfig::read_ahead,
                "bytes read ahead into the local cache; 0: none", at_least(Bytes{0})),
      parameter("write_behind", &RedirectorConfig::write_behind,
                "bytes a program may be ahead of the wire; 0: none", at_least(Bytes{0})),
      parameter("request_cpu", &RedirectorConfig::request_cpu, "processor time of a request",
                at_least(Duration{0})),
      parameter("copy", &RedirectorConfig::copy, "copying through the local cache; 0: no cost",
                at_least(Bandwidth{0})),
      parameter("request_timeout", &RedirectorConfig::request_timeout,
                "time after which a message without progress ends the connection", at_least(1s)),
      parameter("durable_handles", &RedirectorConfig::durable_handles,
                "whether open files survive a lost connection, SMB2"),
      parameter("reconnect_for", &RedirectorConfig::reconnect_for,
                "how long a lost connection is tried again", at_least(Duration{0})),
      parameter("open_path_queries", &RedirectorConfig::open_path_queries,
                "path queries before opening for reading", between(0, 64)),
      parameter("open_file_queries", &RedirectorConfig::open_file_queries,
                "file queries after opening for reading", between(0, 64)),
      parameter("create_volume_queries", &RedirectorConfig::create_volume_queries,
                "volume queries before creating", between(0, 64)),
      parameter("create_file_queries", &RedirectorConfig::create_file_queries,
                "file queries after creating", between(0, 64)),
      parameter("close_find_queries", &RedirectorConfig::close_find_queries,
                "directory searches after closing a new file", between(0, 64)),
      parameter("smb2_compounds", &RedirectorConfig::smb2_compounds,
                "whether an open and its queries travel in one message, SMB2"),
      parameter("list_looks_up", &RedirectorConfig::list_looks_up,
                "whether a directory is searched for in its parent before it is listed"),
      parameter("smb2_list_handles", &RedirectorConfig::smb2_list_handles,
                "whether opening, listing and closing a directory are single messages, SMB2"),
      parameter("server_copy", &RedirectorConfig::server_copy,
                "whether CopyFileEx has the server copy within a share, SMB2"),
      parameter("signing", &RedirectorConfig::signing, "asks for signed messages"),
      parameter("encryption", &RedirectorConfig::encryption,
                "asks for encrypted messages, from SMB 3.0 on"),
      parameter("compression", &RedirectorConfig::compression,
                "algorithm that it offers for file data, from SMB 3.1.1 on"),
      parameter("compress_all", &RedirectorConfig::compress_all,
                "asks for compressed reads and writes, whatever programs do"),
      parameter("compression_sample", &RedirectorConfig::compression_sample,
                "bytes of a file after which it may give up compressing; 0: never",
                at_least(Bytes{0})),
      parameter("compression_threshold", &RedirectorConfig::compression_threshold,
                "bytes of the sample that must get smaller", at_least(Bytes{0})),
      parameter("channels", &RedirectorConfig::channels,
                "TCP connections of one session, from SMB 3.0 on", between(1, 32)),
      parameter("threads", &RedirectorConfig::threads,
                "threads that make requests and take answers; 0: no limit", between(0, 65535)),
  };
};

}  // namespace copysim
